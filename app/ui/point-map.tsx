import type { ReactNode } from 'react'
import { type MapPicture, PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'
import { AreaKey, AreaPicture } from './map-picture.tsx'

interface PointMapProps {
  /** Areas below the points. */
  background: MapPicture
  points: readonly Spot[]
  /** The points that a list or table beside the map refers to by number. */
  numbered: readonly { point: Spot; number: number }[]
  caption: ReactNode
}

/** Points on the site's own map, north up: nothing has to be loaded. */
export const PointMap = ({ background, points, numbered, caption }: PointMapProps) => (
  <figure className="place-map">
    <AreaPicture picture={background} hasKey>
      <path className="place-map-north" d={`M${PICTURE_SIZE.width - 22} 34V12m-6 7 6-7 6 7`} />
      {points.map(([x, y], index) => (
        <circle key={index} cx={x} cy={y} r={3.5} />
      ))}
      {numbered.map(({ point, number }) => (
        <g key={number} className="place-map-number" transform={`translate(${point.join(' ')})`}>
          <circle r={number > 99 ? 15 : 11} />
          <text dy="0.35em">{number}</text>
        </g>
      ))}
    </AreaPicture>
    <AreaKey picture={background} />
    <figcaption>{caption}</figcaption>
  </figure>
)
