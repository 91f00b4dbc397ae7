import { getDirection } from '#app/lib/added-languages.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { PIN } from '#app/ui/map-picture.tsx'
import { MAP_DIRECTIONS, type MapBubble, type MapMoves, type MapPin } from '../record/places.schema.ts'
import { MapShape } from './MapPicture.tsx'
import { MapSign } from './MapSign.tsx'

export const MAP_MOVES = ['nearer', 'farther', ...MAP_DIRECTIONS] as const
export type MapMove = (typeof MAP_MOVES)[number]

interface MoveLinksProps {
  moves: MapMoves
  /** Names the links together, and each of them. */
  label: string
  nameOf: (move: MapMove) => string
  /** @param bbox what the map shows then */
  hrefOf: (bbox: string) => string
}

/** Moving and zooming without JavaScript; with it, they may do so without a new page. */
export const MoveLinks = ({ moves, label, nameOf, hrefOf }: MoveLinksProps) => (
  <nav className="places-map-moves" aria-label={label}>
    {MAP_MOVES.map((move) => {
      const box = moves[move]
      return box ? (
        <a key={move} href={`${hrefOf(box)}#map`} data-move={move} aria-label={nameOf(move)}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d={MOVE_SIGNS[move]} />
          </svg>
        </a>
      ) : null
    })}
  </nav>
)

const MOVE_SIGNS = {
  nearer: 'M12 5v14M5 12h14',
  farther: 'M5 12h14',
  west: 'M19 12H5m6-6-6 6 6 6',
  north: 'M12 19V5M6 11l6-6 6 6',
  south: 'M12 5v14m-6-6 6 6 6-6',
  east: 'M5 12h14m-6-6 6 6-6 6',
}

export const PinDrawing = ({ sign }: { sign: string | undefined }) => (
  <g className={`map-pin map-pin-${sign ?? 'none'}`}>
    <path d={PIN} />
    <MapSign sign={sign} />
  </g>
)

/** @param name what it says to those who do not see it */
export const PinLink = ({ pin, name, href }: { pin: MapPin; name: string; href: string }) => (
  <a href={href} aria-label={name} lang={pin.lang} dir={getDirection(pin.lang)} className="map-link">
    <title>{name}</title>
    {pin.drawn && <MapShape drawn={pin.drawn} />}
    <g transform={`translate(${pin.spot.join(' ')})`}>
      <circle className="map-target" cy={-18} r={18} />
      <PinDrawing sign={pin.sign} />
      {pin.drawn && (
        <text className="map-shape-number" y={18}>
          {pin.number}
        </text>
      )}
    </g>
  </a>
)

/** The larger the number, the larger the bubble. */
const measureRadius = (total: number): number => Math.min(26, 15 + Math.round(Math.log2(total)))

export function BubbleLink({ bubble: { total, spot }, name, href }: { bubble: MapBubble; name: string; href: string }) {
  const format = useFormat()
  return (
    <g transform={`translate(${spot.join(' ')})`}>
      <a href={href} aria-label={name} className="map-link map-bubble">
        <title>{name}</title>
        <circle r={measureRadius(total)} />
        <text dy="0.35em">{format.number(total)}</text>
      </a>
    </g>
  )
}
