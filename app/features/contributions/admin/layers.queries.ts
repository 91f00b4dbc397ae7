import { queryOptions } from '@tanstack/react-query'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { api } from '#app/shell/api.ts'

export type LayerDocument = Resource<'map-layers'>

/** Layers of an activity's map, the lowest first. `forgetContributions` forgets them too. */
export const layersQuery = (activity: string) =>
  queryOptions({
    queryKey: ['contributions', 'layers', activity],
    queryFn: ({ signal }) => api.list('map-layers', { filter: { activity }, page: { size: 100 }, signal }),
  })
