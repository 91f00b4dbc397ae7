import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { getUpdateAudience } from './updates.functions.ts'

const root = ['updates'] as const

/** All updates of a project, drafts first. */
export const updateListQuery = (project: string) =>
  queryOptions({
    queryKey: [...root, 'list', project],
    queryFn: ({ signal }) => api.list('project-updates', { filter: { project }, page: { size: 100 }, signal }),
  })

export const updateQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'one', id], queryFn: ({ signal }) => api.get('project-updates', id, { signal }) })

/** How many followers are notified when an update of the project is published. */
export const updateAudienceQuery = (project: string) =>
  queryOptions({ queryKey: [...root, 'audience', project], queryFn: () => getUpdateAudience({ data: { project } }), staleTime: 0 })

export const forgetUpdates = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })
