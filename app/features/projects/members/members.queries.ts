import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['project-members'] as const
export const MEMBERS_PER_PAGE = 25

export const membersQuery = (project: string, q: string, page: number) =>
  queryOptions({
    queryKey: [...root, project, q, page],
    queryFn: ({ signal }) =>
      api.list('project-members', {
        filter: { project, ...(q ? { q } : {}) },
        include: ['user'],
        page: { number: page, size: MEMBERS_PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const forgetMembers = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })
