import { useRef, useState } from 'react'
import { FieldGroup } from '#app/ui/field.tsx'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import { Text } from '#app/ui/text.tsx'
import { buildFieldName } from '../../answers.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { listOfferedOptions } from '../choices/options.ts'
import { buildControlId, buildFieldProps, toSingleValue, type QuestionProps } from '../question-field.tsx'
import { countPlaces } from './ranking.ts'

/**
 * A dropdown with the rank of each option; with a script, buttons move an option up or down and keep the ranks consistent. The dropdowns
 * stay, so the submitted data is the same either way.
 */
export function RankingQuestion(props: QuestionProps<QuestionOf<'ranking'>>) {
  const words = useSurveyWords()
  const { t, say } = words
  const { question, values, errors } = props
  const options = listOfferedOptions(question)
  const places = countPlaces(question)
  const box = useRef<HTMLOListElement>(null)
  const [moved, setMoved] = useState('')
  const ready = useHydrated()
  const field = buildFieldProps(words, props, t('rank.rule', { count: places }))
  const selectOf = (id: string) => box.current?.querySelector<HTMLSelectElement>(`[name="${buildFieldName(question.id, id)}"]`)

  /** Moves an option up or down by swapping ranks with the option that has the target rank. */
  const moveItem = (id: string, by: -1 | 1) => {
    const own = selectOf(id)
    if (!own) return
    const from =
      Number(own.value) ||
      (by === 1
        ? 0
        : findFirstFreePlace(
            places,
            options.map((option) => selectOf(option.id)?.value),
          ) + 1)
    const to = from + by
    if (to < 1 || to > places) return
    const there = options.map((option) => selectOf(option.id)).find((select) => select !== own && select?.value === String(to))
    if (there) there.value = own.value
    own.value = String(to)
    own.dispatchEvent(new Event('input', { bubbles: true }))
    setMoved(t('rank.moved', { option: say(options.find((option) => option.id === id)?.label).text, place: to, count: places }))
  }

  return (
    <FieldGroup field={field}>
      <ol className="ranking" ref={box}>
        {options.map((option, index) => {
          const name = buildFieldName(question.id, option.id)
          const label = say(option.label)
          return (
            <li key={option.id} data-invalid={errors.has(name) || undefined}>
              <label htmlFor={buildControlId(question, index, option.id)}>
                <Text words={label} />
              </label>
              <span className="select">
                <select
                  className="input"
                  id={buildControlId(question, index, option.id)}
                  name={name}
                  defaultValue={toSingleValue(values[name]) ?? ''}
                >
                  <option value="">–</option>
                  {Array.from({ length: places }, (_, place) => (
                    <option key={place} value={place + 1}>
                      {place + 1}
                    </option>
                  ))}
                </select>
              </span>
              {ready && (
                <span className="ranking-move">
                  <button type="button" onClick={() => moveItem(option.id, -1)} aria-label={t('rank.up', { option: label.text })}>
                    ↑
                  </button>
                  <button type="button" onClick={() => moveItem(option.id, 1)} aria-label={t('rank.down', { option: label.text })}>
                    ↓
                  </button>
                </span>
              )}
            </li>
          )
        })}
      </ol>
      <output className="visually-hidden">{moved}</output>
    </FieldGroup>
  )
}

/** The first free rank. */
function findFirstFreePlace(places: number, taken: readonly (string | undefined)[]): number {
  const free = Array.from({ length: places }, (_, index) => index + 1).find((place) => !taken.includes(String(place)))
  return free ?? places
}
