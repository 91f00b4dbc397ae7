import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['homepage'] as const

/** Hubs whose page the viewer may edit. */
export const editedHubsQuery = queryOptions({
  queryKey: [...root, 'hubs'],
  queryFn: async ({ signal }) => (await api.list('hubs', { filter: { mine: true }, page: { size: 100 }, signal })).data,
})

/** Projects and surveys that blocks can refer to. */
export const namedThingsQuery = queryOptions({
  queryKey: [...root, 'named'],
  queryFn: async ({ signal }) => {
    const [projects, surveys] = await Promise.all([
      api.list('projects', { fields: { projects: ['title'] }, sort: 'title', page: { size: 100 }, signal }),
      api.list('surveys', { fields: { surveys: ['title'] }, page: { size: 100 }, signal }),
    ])
    return { project: projects.data, survey: surveys.data }
  },
  staleTime: 60_000,
})

/** Saved sections of all pages that the viewer may edit. */
export const sectionsQuery = queryOptions({
  queryKey: [...root, 'sections'],
  queryFn: async ({ signal }) => (await api.list('saved-sections', { page: { size: 100 }, signal })).data,
  staleTime: 0,
})
