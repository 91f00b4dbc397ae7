import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['homepage'] as const

/** A hub, with what the viewer may do to it. */
export const editedHubQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'hub', id], queryFn: async ({ signal }) => (await api.get('hubs', id, { signal })).data })

/** The first hub whose page the viewer may edit, if there is one. */
export const firstHubQuery = queryOptions({
  queryKey: [...root, 'first-hub'],
  queryFn: async ({ signal }) => (await api.list('hubs', { filter: { mine: true }, page: { size: 1 }, signal })).data[0] ?? null,
})

/** Saved sections of all pages that the viewer may edit. */
export const sectionsQuery = queryOptions({
  queryKey: [...root, 'sections'],
  queryFn: async ({ signal }) => (await api.list('saved-sections', { page: { size: 100 }, signal })).data,
  staleTime: 0,
})
