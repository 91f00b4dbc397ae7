import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { areaMapQuery } from '../area-map.queries.ts'

/** The site's map file; an empty list if it has none. */
export const mapFileQuery = queryOptions({
  queryKey: ['map-files'],
  queryFn: ({ signal }) => api.list('map-files', { signal }),
})

export async function forgetMapFile(queryClient: QueryClient): Promise<void> {
  await Promise.all([mapFileQuery, areaMapQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))
}
