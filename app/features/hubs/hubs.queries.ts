import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['hubs'] as const

/** Every hub of the site, in its order: few on any site. */
export const hubListQuery = queryOptions({
  queryKey: [...root, 'list'],
  queryFn: ({ signal }) => api.list('hubs', { page: { size: 100 }, signal }),
})

export const hubQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'one', id], queryFn: ({ signal }) => api.get('hubs', id, { signal }) })

/** After a change: hubs, and the places that projects and people are given. */
export const invalidateHubs = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([root, ['projects', 'places'], ['people', 'places']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
