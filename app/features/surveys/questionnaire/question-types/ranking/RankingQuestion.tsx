import { type PointerEvent, useEffect, useRef, useState } from 'react'
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
 * A dropdown with the rank of each option. With a script, the rows also sort themselves by rank: they are dragged, or moved by buttons and
 * arrow keys. The ranks stay in the dropdowns, so the submitted data is the same either way.
 */
export function RankingQuestion(props: QuestionProps<QuestionOf<'ranking'>>) {
  const words = useSurveyWords()
  const { t, say } = words
  const { question, values, errors } = props
  const options = listOfferedOptions(question)
  const places = countPlaces(question)
  const list = useRef<HTMLOListElement>(null)
  const ready = useHydrated()
  const [ranked, setRanked] = useState<readonly string[]>([])
  const [dragged, setDragged] = useState<string>()
  const [moved, setMoved] = useState('')
  const field = buildFieldProps(words, props, [t('rank.rule', { count: places }), ...(ready ? [t('rank.move')] : [])].join(' '))

  const findSelect = (id: string) => list.current?.querySelector<HTMLSelectElement>(`[name="${buildFieldName(question.id, id)}"]`)
  const readRank = (id: string) => Number(findSelect(id)?.value)
  const listRanked = () =>
    options
      .map(({ id }) => id)
      .filter(readRank)
      .toSorted((a, b) => readRank(a) - readRank(b))

  useEffect(() => {
    const showRanks = () => setRanked(listRanked())
    const showReset = () => void setTimeout(showRanks)
    const form = list.current?.closest('form')
    showRanks()
    form?.addEventListener('reset', showReset)
    return () => form?.removeEventListener('reset', showReset)
    // Runs once: `onInput` hears of every later change.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  /** Gives an option this rank and moves the others along; no rank if it is beyond the last. */
  const rankOption = (id: string, rank: number) => {
    const order = listRanked().filter((other) => other !== id)
    const isRanked = rank > 0 && rank <= Math.min(places, order.length + 1)
    if (isRanked) order.splice(rank - 1, 0, id)
    for (const option of options) {
      const select = findSelect(option.id)
      const place = order.indexOf(option.id) + 1
      if (select) select.value = place > 0 && place <= places ? String(place) : ''
    }
    findSelect(id)?.dispatchEvent(new Event('input', { bubbles: true }))
    const option = say(options.find((each) => each.id === id)?.label).text
    setMoved(isRanked ? t('rank.moved', { option, place: rank, total: places }) : t('rank.unranked', { option }))
  }
  const moveOption = (id: string, by: -1 | 1) => {
    const order = listRanked()
    const [own, count] = [order.indexOf(id) + 1, order.length]
    if (own === 0 ? by === -1 : own + by > 0 && (own < count || count < options.length))
      rankOption(id, own === 0 ? Math.min(count + 1, places) : own + by)
  }
  const dragTo = (event: PointerEvent) => {
    if (!dragged) return
    const select = findSelect(dragged) ?? null
    const above = [...(list.current?.children ?? [])].filter((row) => {
      const { top, height } = row.getBoundingClientRect()
      return !row.contains(select) && top + height / 2 < event.clientY
    }).length
    const others = listRanked().filter((id) => id !== dragged).length
    const rank = above < places && above <= others ? above + 1 : 0
    if (rank !== readRank(dragged)) rankOption(dragged, rank)
  }

  const rows = options.toSorted((a, b) => (ranked.indexOf(a.id) + 1 || Infinity) - (ranked.indexOf(b.id) + 1 || Infinity) || 0)
  return (
    <FieldGroup field={field}>
      <ol
        className="ranking"
        ref={list}
        onInput={() => setRanked(listRanked())}
        onPointerMove={dragTo}
        onLostPointerCapture={() => setDragged(undefined)}
      >
        {rows.map((option) => {
          const name = buildFieldName(question.id, option.id)
          const controlId = buildControlId(question, options.indexOf(option), option.id)
          const label = say(option.label)
          return (
            <li
              key={option.id}
              data-invalid={errors.has(name) || undefined}
              data-unranked={(ready && !ranked.includes(option.id)) || undefined}
              data-dragged={dragged === option.id || undefined}
            >
              {ready && (
                <span
                  className="ranking-handle"
                  aria-hidden="true"
                  onPointerDown={(event) => {
                    event.preventDefault()
                    // The list itself follows the pointer: rows lose it when they move.
                    list.current?.setPointerCapture(event.pointerId)
                    setDragged(option.id)
                  }}
                />
              )}
              <span className="select">
                <select className="input" id={controlId} name={name} defaultValue={toSingleValue(values[name]) ?? ''}>
                  <option value="">–</option>
                  {Array.from({ length: places }, (_, place) => (
                    <option key={place} value={place + 1}>
                      {place + 1}
                    </option>
                  ))}
                </select>
              </span>
              <label htmlFor={controlId}>
                <Text words={label} />
              </label>
              {ready && (
                <span className="ranking-move">
                  {([-1, 1] as const).map((by) => (
                    <button
                      key={by}
                      type="button"
                      onClick={() => moveOption(option.id, by)}
                      onKeyDown={(event) => {
                        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
                        event.preventDefault()
                        moveOption(option.id, event.key === 'ArrowUp' ? -1 : 1)
                      }}
                      aria-label={t(by < 0 ? 'rank.up' : 'rank.down', { option: label.text })}
                    >
                      {by < 0 ? '↑' : '↓'}
                    </button>
                  ))}
                </span>
              )}
            </li>
          )
        })}
      </ol>
      {ready && (
        <output className="field-hint">
          <span className="visually-hidden">{moved} </span>
          {t('rank.so-far', { done: ranked.length, total: places })}
        </output>
      )}
    </FieldGroup>
  )
}
