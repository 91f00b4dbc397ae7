import { queryOptions } from '@tanstack/react-query'
import { type Box, formatBox } from '#app/lib/geometry.ts'
import type { PicturePart } from './map/map-view.schema.ts'
import { readAreaMap, readStreets } from './area-map.functions.ts'

/** Streets of one part of the map's picture, and which part that is. */
export const streetsQuery = (box: Box, part: PicturePart) =>
  queryOptions({
    queryKey: ['streets', formatBox(box)],
    queryFn: async () => ({ streets: await readStreets({ data: { box: [box[0], box[1], box[2], box[3]] } }), part }),
    staleTime: Infinity,
  })

export const areaMapQuery = queryOptions({ queryKey: ['area-map'], queryFn: () => readAreaMap(), staleTime: Infinity })
