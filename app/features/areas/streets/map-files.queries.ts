import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

/** The site's map file; an empty list if it has none. */
export const mapFileQuery = queryOptions({
  queryKey: ['map-files'],
  queryFn: ({ signal }) => api.list('map-files', { signal }),
})

export const forgetMapFile = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: mapFileQuery.queryKey })
