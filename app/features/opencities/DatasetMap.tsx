import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import type { MapView } from './reading.schema.ts'

const SIZE = { width: 640, height: 400, margin: 28 }

/**
 * Points as they lie to each other, north up, without a street map: nothing is loaded for it. The rows of the table are numbered, and
 * their numbers stand here.
 */
export function DatasetMap({ map, first }: { map: MapView; first: number }) {
  const { t } = useTranslation('city-data')
  const format = useFormat()
  const place = projection(map.points)
  const numbered = map.ofRows.flatMap((point, index) => (point ? [{ point: place(point), number: first + index }] : []))
  return (
    <figure className="place-map">
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} aria-hidden="true">
        <path className="place-map-north" d={`M${SIZE.width - 22} 34V12m-6 7 6-7 6 7`} />
        {map.points.map((point, index) => {
          const [x, y] = place(point)
          return <circle key={index} cx={x} cy={y} r={3.5} />
        })}
        {numbered.map(({ point: [x, y], number }) => (
          <g key={number} className="place-map-number" transform={`translate(${x} ${y})`}>
            <circle r={number > 99 ? 15 : 11} />
            <text dy="0.35em">{number}</text>
          </g>
        ))}
      </svg>
      <figcaption>{t('map.note', { count: map.points.length, number: format.number(map.points.length) })}</figcaption>
    </figure>
  )
}

/** Where a point lies in the picture: as wide as it is high on the ground, whatever the latitude. */
function projection(points: readonly [number, number][]): (point: readonly [number, number]) => [number, number] {
  const [longitudes, latitudes] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [west, east, south, north] = [Math.min(...longitudes), Math.max(...longitudes), Math.min(...latitudes), Math.max(...latitudes)]
  const narrowing = Math.cos(((south + north) / 2) * (Math.PI / 180))
  const [width, height] = [Math.max((east - west) * narrowing, 1e-6), Math.max(north - south, 1e-6)]
  const scale = Math.min((SIZE.width - 2 * SIZE.margin) / width, (SIZE.height - 2 * SIZE.margin) / height)
  const [left, top] = [(SIZE.width - width * scale) / 2, (SIZE.height - height * scale) / 2]
  const round = (value: number) => Math.round(value * 10) / 10
  return ([x, y]) => [round(left + (x - west) * narrowing * scale), round(top + (north - y) * scale)]
}
