import { PointMap } from '../point-map.tsx'
import type { DrawingProps, MapDrawing } from './drawing.ts'

/** Places on a map of the areas, with their list. */
export default function Points({ drawing, words }: DrawingProps<MapDrawing>) {
  return (
    <div className="data-figure-map">
      <PointMap
        background={drawing.background}
        points={drawing.points}
        numbered={drawing.places.map(({ point }, at) => ({ point, number: at + 1 }))}
        caption={words.places}
      />
      <ol>
        {drawing.places.map(({ name }, at) => (
          <li key={at}>{name}</li>
        ))}
      </ol>
    </div>
  )
}
