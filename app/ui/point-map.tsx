import type { ReactNode } from 'react'

const SIZE = { width: 640, height: 400, margin: 28 }

type Point = readonly [longitude: number, latitude: number]

interface PointMapProps {
  points: readonly Point[]
  /** The points that a list or table beside the map refers to by number. */
  numbered: readonly { point: Point; number: number }[]
  caption: ReactNode
}

/** Points in their relative positions, north up, without a street map: nothing has to be loaded. */
export function PointMap({ points, numbered, caption }: PointMapProps) {
  const place = createProjection(points)
  return (
    <figure className="place-map">
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} aria-hidden="true">
        <path className="place-map-north" d={`M${SIZE.width - 22} 34V12m-6 7 6-7 6 7`} />
        {points.map((point, index) => {
          const [x, y] = place(point)
          return <circle key={index} cx={x} cy={y} r={3.5} />
        })}
        {numbered.map(({ point, number }) => {
          const [x, y] = place(point)
          return (
            <g key={number} className="place-map-number" transform={`translate(${x} ${y})`}>
              <circle r={number > 99 ? 15 : 11} />
              <text dy="0.35em">{number}</text>
            </g>
          )
        })}
      </svg>
      <figcaption>{caption}</figcaption>
    </figure>
  )
}

/** Projects a point onto the picture, with the same scale in both directions at any latitude. */
function createProjection(points: readonly Point[]): (point: Point) => [number, number] {
  const [longitudes, latitudes] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [west, east, south, north] = [Math.min(...longitudes), Math.max(...longitudes), Math.min(...latitudes), Math.max(...latitudes)]
  const narrowing = Math.cos(((south + north) / 2) * (Math.PI / 180))
  const [width, height] = [Math.max((east - west) * narrowing, 1e-6), Math.max(north - south, 1e-6)]
  const scale = Math.min((SIZE.width - 2 * SIZE.margin) / width, (SIZE.height - 2 * SIZE.margin) / height)
  const [left, top] = [(SIZE.width - width * scale) / 2, (SIZE.height - height * scale) / 2]
  const roundToTenth = (value: number) => Math.round(value * 10) / 10
  return ([x, y]) => [roundToTenth(left + (x - west) * narrowing * scale), roundToTenth(top + (north - y) * scale)]
}
