import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['project-documents'] as const

/** All documents of one project; there are few. */
export const documentsQuery = (project: string) =>
  queryOptions({
    queryKey: [...root, project],
    queryFn: async ({ signal }) => (await api.list('project-documents', { filter: { project }, page: { size: 100 }, signal })).data,
  })

export const forgetDocuments = (queryClient: QueryClient, project: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [...root, project] })

export type DocumentDocument = Awaited<ReturnType<NonNullable<ReturnType<typeof documentsQuery>['queryFn']>>>[number]
