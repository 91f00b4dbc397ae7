import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { RECORD_CHOICES } from '#app/shell/admin/record-sources.ts'
import { api } from '#app/shell/api.ts'

const root = ['hubs'] as const

/** All hubs of the site in display order. A site has few of them. */
export const hubListQuery = queryOptions({
  queryKey: [...root, 'list'],
  queryFn: ({ signal }) => api.list('hubs', { page: { size: 100 }, signal }),
})

export const hubQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'one', id], queryFn: ({ signal }) => api.get('hubs', id, { signal }) })

/** Invalidates hubs, and the lists in which they can be chosen. */
export const invalidateHubs = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all([root, RECORD_CHOICES].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
