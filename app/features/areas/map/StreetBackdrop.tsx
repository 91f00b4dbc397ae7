import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PICTURE_SIZE } from '#app/lib/map-picture.ts'
import { streetsQuery } from '../area-map.queries.ts'
import { findStreetsPart } from './map-moves.schema.ts'
import type { MapView, PicturePart } from './map-view.schema.ts'

/** Streets below what is shown of a map: one request for each view, and the last one stays until the next is there. */
export function StreetBackdrop({ view, window }: { view: MapView; window: PicturePart }) {
  const part = findStreetsPart(window)
  const { data } = useQuery({ ...streetsQuery(view.boxOf(part), part), placeholderData: keepPreviousData })
  if (!data?.streets) return null
  const { left, top, width } = data.part
  return (
    <g transform={`translate(${left} ${top}) scale(${width / PICTURE_SIZE.width})`}>
      <g className="streets" dangerouslySetInnerHTML={{ __html: data.streets }} />
    </g>
  )
}
