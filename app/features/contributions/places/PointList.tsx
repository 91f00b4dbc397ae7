import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Position } from '#app/lib/geometry.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import type { DrawnShape } from '../record/drawing.schema.ts'
import { useDrawingWords } from './use-drawing-words.ts'

interface PointListProps {
  shape: DrawnShape
  points: readonly Position[]
  /** The area that each point lies in. */
  areas: readonly (string | undefined)[]
  /** Without it, the buttons send the form. */
  onRemove?: (at: number) => void
  formAction?: string
}

/** The points of a line or an area, each with a button that removes it. */
export function PointList({ shape, points, areas, onRemove, formAction }: PointListProps) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const { describePlace } = useDrawingWords(shape)
  const list = useRef<HTMLOListElement>(null)
  const removePoint = (at: number) => {
    onRemove?.(at)
    // The next point takes the removed one's number, and its button keeps the focus; the last one has no next.
    if (at === points.length - 1) (list.current?.querySelectorAll('button')[at - 1] ?? list.current?.closest('fieldset'))?.focus()
  }
  if (points.length === 0) return null
  return (
    <div className="place-points">
      <p id="place-points">{t(`drawing.points-of.${shape}`)}</p>
      <ol ref={list} aria-labelledby="place-points">
        {points.map((point, at) => {
          const number = format.number(at + 1)
          return (
            // oxlint-disable-next-line react/no-array-index-key -- a point is its number
            <li key={at}>
              <span>{t('drawing.point', { number, place: describePlace(point, areas[at], points[at - 1], at) })}</span>
              <Button
                kind="plain"
                aria-label={t('drawing.remove-point', { number })}
                {...(onRemove
                  ? { onClick: () => removePoint(at) }
                  : { type: 'submit' as const, name: 'place', value: `remove-${at + 1}`, formAction })}
              >
                {t('drawing.remove')}
              </Button>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
