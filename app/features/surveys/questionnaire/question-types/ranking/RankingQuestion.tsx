import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { FieldGroup } from '#app/ui/field.tsx'
import { Text } from '#app/ui/text.tsx'
import { buildFieldName } from '../../field-names.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { listOfferedOptions } from '../choices/options.ts'
import { buildControlId, buildFieldProps, toSingleValue, type QuestionProps } from '../question-field.tsx'
import { countPlaces } from './ranking.ts'
import type { RankingMoves } from './ranking-moves.ts'

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
  // Only a page with a ranking loads what moves it.
  const [moves, setMoves] = useState<RankingMoves>()
  const [ranked, setRanked] = useState<readonly string[]>([])
  const [done, setDone] = useState(0)
  const [dragged, setDragged] = useState<string>()
  const [moved, setMoved] = useState('')
  const field = buildFieldProps(words, props, [t('rank.rule', { count: places }), ...(moves ? [t('rank.move')] : [])].join(' '))
  const getControls = () => ({
    list: list.current,
    ids: options.map(({ id }) => id),
    places,
    nameOf: (id: string) => buildFieldName(question.id, id),
  })
  const readRanks = (loaded: RankingMoves) => {
    setRanked(loaded.listRanked(getControls()))
    setDone(loaded.countRanks(getControls()))
  }
  const showRanks = useEffectEvent((loaded: RankingMoves) => {
    setMoves(loaded)
    readRanks(loaded)
  })
  useEffect(() => {
    const abort = new AbortController()
    const load = () =>
      import('./ranking-moves.ts').then(({ rankingMoves }) => !abort.signal.aborted && showRanks(rankingMoves)).catch(() => undefined)
    void load()
    // Fields are emptied after the event.
    list.current?.closest('form')?.addEventListener('reset', () => setTimeout(() => void load()), { signal: abort.signal })
    return () => abort.abort()
  }, [])

  const moveOption = (id: string, rank: number | undefined) => {
    if (!moves || rank === undefined) return
    const place = moves.rankOption(getControls(), id, rank)
    const option = say(options.find((each) => each.id === id)?.label).text
    setMoved(place ? t('rank.moved', { option, place, total: places }) : t('rank.unranked', { option }))
  }
  const rows = options.toSorted((a, b) => (ranked.indexOf(a.id) + 1 || Infinity) - (ranked.indexOf(b.id) + 1 || Infinity) || 0)
  return (
    <FieldGroup field={field}>
      <ol
        className="ranking"
        ref={list}
        onInput={() => moves && readRanks(moves)}
        onPointerMove={({ clientY }) => dragged && moveOption(dragged, moves?.findRankAt(getControls(), dragged, clientY))}
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
              data-unranked={(moves && !ranked.includes(option.id)) || undefined}
              data-dragged={dragged === option.id || undefined}
            >
              {moves && (
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
              {moves && (
                <span className="ranking-move">
                  {([-1, 1] as const).map((by) => (
                    <button
                      key={by}
                      type="button"
                      onClick={() => moveOption(option.id, moves.findNextRank(getControls(), option.id, by))}
                      onKeyDown={(event) => {
                        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
                        event.preventDefault()
                        moveOption(option.id, moves.findNextRank(getControls(), option.id, event.key === 'ArrowUp' ? -1 : 1))
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
      {moves && (
        <output className="field-hint">
          <span className="visually-hidden">{moved} </span>
          {t('rank.so-far', { done, total: places })}
        </output>
      )}
    </FieldGroup>
  )
}
