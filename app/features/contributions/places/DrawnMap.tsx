import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { areaMapQuery } from '#app/features/areas/area-map.queries.ts'
import { loadShapePicker } from '#app/features/areas/map/place-picker.queries.ts'
import { isPointInside } from '#app/features/areas/polygons.schema.ts'
import { type Box, MAX_GEOMETRY_POINTS, type Position } from '#app/lib/geometry.ts'
import { useFormat } from '#app/shell/use-format.ts'
import type { LayerPicture } from '../layers/layers.schema.ts'
import { DrawnLayers } from '../layers/MapLayers.tsx'
import { type DrawnShape, findDrawingFault, LEAST_POINTS } from '../record/drawing.schema.ts'
import { PointList } from './PointList.tsx'
import { useDrawingWords } from './use-drawing-words.ts'

const ShapePicker = lazy(loadShapePicker)
/** The crosshair's place is said when it has rested so long. */
const RESTED_MS = 500

interface DrawnMapProps {
  shape: DrawnShape
  points: readonly Position[]
  isFinished: boolean
  focus: Box | undefined
  layers: readonly LayerPicture[]
  onChange: (points: Position[]) => void
  onFinish: (isFinished: boolean) => void
}

/** Drawing with JavaScript: the map, what is said about each step, and the list of the points. */
export default function DrawnMap({ shape, points, isFinished, focus, layers, onChange, onFinish }: DrawnMapProps) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const { data: map } = useQuery(areaMapQuery)
  const { countPoints, describePlace, describeDrawing } = useDrawingWords(shape)
  const [said, say] = useAnnouncement()
  const fault = findFaultWhileDrawing(shape, points)
  const findArea = (point: Position) => map?.areas.find(({ rings }) => isPointInside(point, rings))?.name
  const describePoint = (point: Position, number: number) => describePlace(point, map && findArea(point), points[number - 2], number - 1)
  const max = format.number(MAX_GEOMETRY_POINTS)

  const addPoint = (point: Position) => {
    if (points.length >= MAX_GEOMETRY_POINTS) return say(t('drawing.full', { max }))
    const next = [...points, point]
    onChange(next)
    const added = t('drawing.added', { number: format.number(next.length), place: describePoint(point, next.length) })
    say(isCrossing(shape, next) ? `${added} ${t('drawing.crossing')}` : added)
  }
  const removePoint = (at: number) => {
    if (!points[at]) return
    const next = points.toSpliced(at, 1)
    onChange(next)
    const removed = t('drawing.removed', { number: format.number(at + 1), points: countPoints(next.length) })
    say(isCrossing(shape, next) ? `${removed} ${t('drawing.crossing')}` : removed)
  }
  const finish = () => {
    const found = findDrawingFault(shape, points)
    if (found) return say(t(found.code === 'self-crossing' ? 'drawing.crossing' : 'drawing.too-few'))
    onFinish(true)
    say(`${t('drawing.finished')} ${describeDrawing(points)}`)
  }
  return (
    <div className="place-drawing">
      <Suspense>
        <ShapePicker
          points={points}
          isClosed={shape === 'areas'}
          isFinished={isFinished}
          canFinish={points.length >= LEAST_POINTS[shape]}
          focus={focus}
          drawLayers={(zoom) => <DrawnLayers layers={layers} zoom={zoom} />}
          texts={{
            map: t(`drawing.map.${shape}`),
            hint: t(`drawing.hint.${shape}`),
            nearer: t('places.nearer'),
            farther: t('places.farther'),
            undo: t('drawing.undo'),
            finish: t(`drawing.finish.${shape}`),
            resume: t('drawing.resume'),
          }}
          onAdd={addPoint}
          onUndo={() => removePoint(points.length - 1)}
          onFinish={finish}
          onResume={() => {
            onFinish(false)
            say(t('drawing.resumed'))
          }}
          onLook={(point) => say(t('drawing.crosshair', { place: describePoint(point, points.length + 1) }), RESTED_MS)}
          onLeave={() => say(t('drawing.left', { points: countPoints(points.length) }))}
        />
      </Suspense>
      <p className="place-state">
        {points.length > 0 ? describeDrawing(points) : t('drawing.none')}
        {isFinished && ` ${t('drawing.finished')}`}
      </p>
      {fault && <p className="field-error">{fault === 'self-crossing' ? t('drawing.crossing') : t('drawing.full', { max })}</p>}
      <output className="visually-hidden">{said}</output>
      <PointList shape={shape} points={points} areas={points.map((point) => map && findArea(point))} onRemove={removePoint} />
    </div>
  )
}

const isCrossing = (shape: DrawnShape, points: readonly Position[]): boolean =>
  points.length >= LEAST_POINTS[shape] && findDrawingFault(shape, points)?.code === 'self-crossing'

function findFaultWhileDrawing(shape: DrawnShape, points: readonly Position[]): 'self-crossing' | 'full' | undefined {
  if (isCrossing(shape, points)) return 'self-crossing'
  return points.length >= MAX_GEOMETRY_POINTS ? 'full' : undefined
}

/** What a screen reader says next: at once, or after nothing else came for a while. */
function useAnnouncement(): [said: string, say: (text: string, afterMs?: number) => void] {
  const [said, setSaid] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const say = (text: string, afterMs = 0) => {
    clearTimeout(timer.current)
    if (afterMs === 0) setSaid(text)
    else timer.current = setTimeout(() => setSaid(text), afterMs)
  }
  return [said, say]
}
