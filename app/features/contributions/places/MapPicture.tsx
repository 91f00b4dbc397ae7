import type { ReactNode } from 'react'
import { PICTURE_SIZE, type Spot } from '#app/features/areas/map/map-view.schema.ts'
import { DrawnLayers } from '../layers/MapLayers.tsx'
import type { DrawnMapView, MapPictureView } from './places.schema.ts'

interface MapPictureProps {
  picture: MapPictureView
  /** Names the picture; without it, what is beside it says the same. */
  label?: string | undefined
  /** Its children are links. */
  holdsLinks?: boolean
  children?: ReactNode
}

/** Areas as the server draws them, with something on them. */
export function MapPicture({ picture, label, holdsLinks = false, children }: MapPictureProps) {
  const naming = label === undefined ? { 'aria-hidden': true } : { role: holdsLinks ? 'group' : 'img', 'aria-label': label }
  return (
    <svg className="area-map" viewBox={`0 0 ${PICTURE_SIZE.width} ${PICTURE_SIZE.height}`} {...naming}>
      <g aria-hidden="true">
        {picture.outlines.map((path, at) => (
          <path key={at} className="area-map-area" d={path} />
        ))}
        <DrawnLayers layers={picture.layers} />
        {picture.labels.map(({ name, spot: [x, y], fits }) => (
          <text key={name} className={fits === 'wide' ? 'area-map-label area-map-label-wide' : 'area-map-label'} x={x} y={y}>
            {name}
          </text>
        ))}
      </g>
      {children}
    </svg>
  )
}

/** A line is solid and an area dashed, so that they are told apart without their colours. */
export const MapShape = ({ drawn: { shape, outline } }: { drawn: DrawnMapView }) => (
  <g className={`map-shape map-shape-${shape}`} aria-hidden="true">
    <path d={outline} />
    <path d={outline} />
  </g>
)

/** A point that has no sign. */
export const MapPoint = ({ spot: [x, y] }: { spot: Spot }) => (
  <g transform={`translate(${x} ${y})`} aria-hidden="true">
    <g className="map-pin">
      <path d={PIN} />
      <circle className="map-pin-sign" cy={-21} r={4.5} />
    </g>
  </g>
)

/** A drop whose tip is at the origin. */
export const PIN = 'M0 0C-4-8-13-12-13-21a13 13 0 0 1 26 0C13-12 4-8 0 0Z'
