import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['pages'] as const

export const pageListQuery = queryOptions({
  queryKey: [...root, 'list'],
  queryFn: ({ signal }) => api.list('pages', { page: { size: 100 }, signal }),
})

export const pageQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'one', id], queryFn: ({ signal }) => api.get('pages', id, { signal }) })

export const forgetPages = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })
