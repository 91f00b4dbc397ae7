import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import type { ProjectTableSearch } from './project-table-search.ts'

const root = ['projects'] as const
export const PROJECTS_PER_TABLE = 20

export const projectTableQuery = ({ hide: _hide, ...search }: ProjectTableSearch) =>
  queryOptions({
    queryKey: [...root, 'table', search],
    queryFn: ({ signal }) =>
      api.list('projects', {
        filter: {
          ...(search.q ? { q: search.q } : {}),
          ...(search.status ? { status: [search.status] } : {}),
          ...(search.hub ? { hub: [search.hub] } : {}),
        },
        sort: search.sort ?? '-updatedAt',
        include: ['hub'],
        fields: { projects: ['title', 'status', 'closesAt', 'participants', 'updatedAt', 'hub', 'topic'], hubs: ['title'] },
        page: { number: search.page ?? 1, size: PROJECTS_PER_TABLE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** One project with its hub and topic, for its editor. */
export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: [...root, 'one', id],
    queryFn: ({ signal }) => api.get('projects', id, { include: ['hub', 'topic'], signal }),
  })

/** Consultations to start a project from. They come with the product, so they never change while a page is open. */
export const projectTemplatesQuery = queryOptions({
  queryKey: [...root, 'templates'],
  queryFn: async ({ signal }) => (await api.list('project-templates', { signal })).data,
  staleTime: Infinity,
})

/** Topics to choose from. Every site has few, so all are loaded. */
export const projectTopicsQuery = queryOptions({
  queryKey: [...root, 'topics'],
  queryFn: async ({ signal }) => (await api.list('topics', { page: { size: 100 }, signal })).data,
})

/** After a change: refetches the project, every table that may show it, and the dashboard's figures. */
export async function forgetProject(queryClient: QueryClient, id?: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [...root, 'table'] }),
    ...(id ? ['one', 'review'].map((part) => queryClient.invalidateQueries({ queryKey: [...root, part, id] })) : []),
    queryClient.invalidateQueries({ queryKey: ['dashboard'] }),
  ])
}
