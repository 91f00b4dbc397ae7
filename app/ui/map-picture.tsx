import type { ReactNode } from 'react'
import { type MapPicture, PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'

interface AreaPictureProps {
  picture: MapPicture
  /** Names the picture; without it, what is beside it says the same. */
  label?: string | undefined
  /** Its children are links. */
  holdsLinks?: boolean
  /** An `AreaKey` stands beside the map. */
  hasKey?: boolean
  /** What lies above the areas and below their names. */
  layers?: ReactNode
  children?: ReactNode
}

/** Areas as the server draws them, with something on them. */
export function AreaPicture({ picture, label, holdsLinks = false, hasKey = false, layers, children }: AreaPictureProps) {
  const naming = label === undefined ? { 'aria-hidden': true } : { role: holdsLinks ? 'group' : 'img', 'aria-label': label }
  return (
    <>
      <svg
        className={picture.streets ? 'area-map area-map-streets' : 'area-map'}
        viewBox={`0 0 ${PICTURE_SIZE.width} ${PICTURE_SIZE.height}`}
        {...naming}
      >
        <g aria-hidden="true">
          {picture.streets && <g className="streets" dangerouslySetInnerHTML={{ __html: picture.streets }} />}
          {picture.outlines.map((path, at) => (
            <path key={at} className="area-map-area" d={path} />
          ))}
          {layers}
          {picture.labels.map(({ name, spot: [x, y], fits }) => (
            <text key={name} className={fits === 'wide' ? 'area-map-label area-map-label-wide' : 'area-map-label'} x={x} y={y}>
              {name}
            </text>
          ))}
          {hasKey &&
            picture.letters?.map(({ letter, spot: [x, y] }) => (
              <text key={letter} className="area-map-label area-map-letter" x={x} y={y} dy="0.35em">
                {letter}
              </text>
            ))}
        </g>
        {children}
      </svg>
      {!hasKey && <MapCredit credit={picture.credit} />}
    </>
  )
}

/**
 * Names of the areas that are too narrow for them, shown on narrow screens only: like the letters, they are for those who see the map. And who made the
 * map.
 */
export const AreaKey = ({ picture: { letters, credit } }: { picture: MapPicture }) => (
  <>
    {letters && letters.length > 0 && (
      <ul className="area-map-key" aria-hidden="true">
        {letters.map(({ letter, name }) => (
          <li key={letter}>
            <b>{letter}</b> {name}
          </li>
        ))}
      </ul>
    )}
    <MapCredit credit={credit} />
  </>
)

/** Who made the map's streets; nothing if it has none. */
export const MapCredit = ({ credit }: { credit: string | undefined }) => (credit ? <p className="map-credit">{credit}</p> : null)

/** A drop whose tip is at the origin. */
export const PIN = 'M0 0C-4-8-13-12-13-21a13 13 0 0 1 26 0C13-12 4-8 0 0Z'

/** A point that has no sign. */
export const MapPoint = ({ spot: [x, y] }: { spot: Spot }) => (
  <g transform={`translate(${x} ${y})`} aria-hidden="true">
    <g className="map-pin">
      <path d={PIN} />
      <circle className="map-pin-sign" cy={-21} r={4.5} />
    </g>
  </g>
)

/** A transparent image: what is seen lies below it, in the site's colours. */
const NOTHING = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

interface PressedMapProps {
  /** Begins the names of the fields that say where it was pressed. */
  name?: string
  alt: string
  formAction?: string | undefined
  children: ReactNode
}

/** A map that works without JavaScript: an image button sends where it was pressed, at one of two widths that the server knows. */
export const PressedMap = ({ name = '', alt, formAction, children }: PressedMapProps) => (
  <div className="place-press-map">
    {children}
    {(['large', 'small'] as const).map((size) => (
      <input key={size} type="image" name={name + size} className={`place-press-${size}`} src={NOTHING} alt={alt} formAction={formAction} />
    ))}
  </div>
)
