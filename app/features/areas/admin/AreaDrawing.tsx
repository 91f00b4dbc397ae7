import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_GEOMETRY_POINTS } from '#app/lib/geometry.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { areaMapQuery } from '../area-map.queries.ts'
import { isDrawable } from '../area-map.schema.ts'
import { isCrossing } from '../files/find-crossing.ts'
import { measureBox } from '../map/map-view.schema.ts'
import { loadShapePicker } from '../map/place-picker.queries.ts'
import type { Point } from '../polygons.schema.ts'

const ShapePicker = lazy(loadShapePicker)
const LEAST_CORNERS = 3

interface AreaDrawingProps {
  corners: readonly Point[]
  /** It is a whole outline to begin with. */
  isComplete: boolean
  onChange: (corners: readonly Point[]) => void
}

/** An outline on the map, corner by corner, with a list that does the same. */
export function AreaDrawing({ corners, isComplete, onChange }: AreaDrawingProps) {
  const { t } = useTranslation('areas-admin')
  const format = useFormat()
  const { data: map } = useQuery(areaMapQuery)
  const holder = useRef<HTMLDivElement>(null)
  const [isFinished, setFinished] = useState(isComplete)
  const [moving, setMoving] = useState<number>()
  const [said, say] = useState('')
  const [focus] = useState(() => (corners.length > 0 ? measureBox([{ name: '', rings: [[...corners]] }]) : undefined))
  const max = format.number(MAX_GEOMETRY_POINTS)
  const numberOf = (at: number) => format.number(at + 1)
  const fault = corners.length >= LEAST_CORNERS && isCrossing(corners) ? t('draw.crossing') : undefined

  if (map && !isDrawable(map)) {
    return (
      <Notice kind="warning" title={t('draw.no-map')}>
        <p>{t('draw.no-map-text')}</p>
        <Link to="/admin/settings" hash="street-map">
          {t('draw.no-map-link')}
        </Link>
      </Notice>
    )
  }
  const add = (at: number, corner: Point) => {
    if (corners.length >= MAX_GEOMETRY_POINTS) return say(t('draw.full', { max }))
    onChange(corners.toSpliced(at, 0, corner))
    say(t('draw.added', { number: numberOf(at) }))
  }
  const startMove = (at: number) => {
    setMoving(at)
    say(t('draw.moving', { number: numberOf(at) }))
    holder.current?.querySelector<SVGSVGElement>('[role="application"]')?.focus()
  }
  const remove = (at: number) => {
    if (!corners[at]) return
    setMoving(undefined)
    onChange(corners.toSpliced(at, 1))
    say(t('draw.removed', { number: numberOf(at) }))
  }
  const finish = () => {
    if (corners.length < LEAST_CORNERS) return say(t('draw.too-few'))
    setMoving(undefined)
    setFinished(true)
    say(t('draw.finished'))
  }
  return (
    <div className="place-drawing" ref={holder}>
      <Suspense>
        <ShapePicker
          points={corners}
          isClosed
          isWhole
          isFinished={isFinished}
          canFinish={corners.length >= LEAST_CORNERS}
          focus={focus}
          moving={moving}
          texts={{
            map: t('draw.map'),
            hint: t('draw.hint'),
            nearer: t('draw.nearer'),
            farther: t('draw.farther'),
            undo: t('draw.undo'),
            finish: t('draw.finish'),
            resume: t('draw.resume'),
          }}
          onAdd={(corner) => add(corners.length, corner)}
          onChoose={startMove}
          onMove={(at, corner) => {
            onChange(corners.with(at, corner))
            setMoving(undefined)
            say(t('draw.moved', { number: numberOf(at) }))
          }}
          onUndo={() => remove(corners.length - 1)}
          onFinish={finish}
          onResume={() => {
            setFinished(false)
            say(t('draw.resumed'))
          }}
          onLook={() => undefined}
          onLeave={() => setMoving(undefined)}
        />
      </Suspense>
      <p className="place-state">
        {corners.length > 0 ? t('draw.corners-left', { count: corners.length, number: format.number(corners.length) }) : t('draw.none')}
      </p>
      {fault && <p className="field-error">{fault}</p>}
      <output className={moving === undefined ? 'visually-hidden' : undefined}>{said}</output>
      {corners.length > 0 && (
        <details className="corner-list">
          <summary>{t('draw.corners')}</summary>
          <ol className="admin-list">
            {corners.map((corner, at) => {
              const number = numberOf(at)
              return (
                // oxlint-disable-next-line react/no-array-index-key -- a corner is its number
                <li key={at}>
                  <span>
                    {t('draw.corner', { number })} <span className="field-hint">{`${corner[1]}, ${corner[0]}`}</span>
                  </span>
                  <span className="row">
                    <Button kind="plain" size="small" aria-label={t('draw.move-corner', { number })} onClick={() => startMove(at)}>
                      {t('draw.move')}
                    </Button>
                    <Button
                      kind="plain"
                      size="small"
                      aria-label={t('draw.add-after', { number })}
                      onClick={() => add(at + 1, findMiddle(corner, corners[(at + 1) % corners.length] ?? corner))}
                    >
                      {t('draw.add')}
                    </Button>
                    <Button kind="plain" size="small" aria-label={t('draw.remove-corner', { number })} onClick={() => remove(at)}>
                      {t('draw.remove')}
                    </Button>
                  </span>
                </li>
              )
            })}
          </ol>
        </details>
      )}
    </div>
  )
}

const roundDegrees = (value: number) => Number(value.toFixed(6))
const findMiddle = (one: Point, other: Point): Point => [roundDegrees((one[0] + other[0]) / 2), roundDegrees((one[1] + other[1]) / 2)]
