import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['consultation-duties'] as const

/** The duties of a project; an empty list on a site that keeps none. */
export const projectDutiesQuery = (project: string) =>
  queryOptions({
    queryKey: [...root, project],
    queryFn: ({ signal }) => api.list('consultation-duties', { filter: { project }, signal }),
    staleTime: 0,
  })

export const forgetDuties = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })
