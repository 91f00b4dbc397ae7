import { lazy, Suspense } from 'react'
import type { Box, Position } from '#app/lib/geometry.ts'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import type { DrawnShape, Shape } from '../record/drawing.schema.ts'
import type { PlaceWritingView } from '../record/places.schema.ts'
import { PressedDrawing } from './PressedDrawing.tsx'

const DrawnMap = lazy(() => import('./DrawnMap.tsx'))

/** What somebody has drawn so far. */
export interface Drawing {
  points: readonly Position[]
  /** The shape that takes no more points. */
  finished: Shape | ''
}

interface DrawnFieldsProps {
  shape: DrawnShape
  place: PlaceWritingView
  /** What the search has found, to be shown instead of the whole map. */
  focus: Box | undefined
  drawing: Drawing
  onChange: (drawing: Drawing) => void
}

/** The map on which a line or an area is drawn: by the browser, or by the server after each press. */
export function DrawnFields({ shape, place, focus, drawing: { points, finished }, onChange }: DrawnFieldsProps) {
  const isReady = useHydrated()
  const pressed = <PressedDrawing shape={shape} place={place} />
  if (!isReady || !place.hasAreas) return pressed
  return (
    <Suspense fallback={pressed}>
      <DrawnMap
        shape={shape}
        points={points}
        isFinished={finished === shape}
        focus={focus ?? place.focus ?? undefined}
        layers={place.layers}
        onChange={(next) => onChange({ points: next, finished: '' })}
        onFinish={(isFinished) => onChange({ points, finished: isFinished ? shape : '' })}
      />
    </Suspense>
  )
}
