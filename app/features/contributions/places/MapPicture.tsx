import type { ComponentProps } from 'react'
import { AreaPicture } from '#app/ui/map-picture.tsx'
import { DrawnLayers } from '../layers/MapLayers.tsx'
import type { DrawnMapView, MapPictureView } from '../record/places.schema.ts'

type MapPictureProps = Omit<ComponentProps<typeof AreaPicture>, 'picture' | 'layers'> & { picture: MapPictureView }

/** The areas with the activity's layers above them. */
export const MapPicture = ({ picture, ...shown }: MapPictureProps) => (
  <AreaPicture {...shown} picture={picture} layers={<DrawnLayers layers={picture.layers} />} />
)

/** A line is solid and an area dashed, so that they are told apart without their colours. */
export const MapShape = ({ drawn: { shape, outline } }: { drawn: DrawnMapView }) => (
  <g className={`map-shape map-shape-${shape}`} aria-hidden="true">
    <path d={outline} />
    <path d={outline} />
  </g>
)
