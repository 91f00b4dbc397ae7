import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

export const FINDABLE_KINDS = ['projects', 'surveys', 'hubs', 'people'] as const
export type FindableKind = (typeof FINDABLE_KINDS)[number]

/** Minimum number of letters before a search starts. */
export const MIN_SEARCH_LENGTH = 2
const RESULTS_PER_KIND = 5

interface FoundItem {
  id: string
  name: string
  href: string
}

const SEARCH_BY_KIND: Record<FindableKind, (q: string, signal: AbortSignal) => Promise<FoundItem[]>> = {
  projects: async (q, signal) => {
    const { data } = await api.list('projects', {
      filter: { q },
      fields: { projects: ['title'] },
      page: { size: RESULTS_PER_KIND },
      signal,
    })
    return data.map(({ id, title }) => ({ id, name: title, href: `/admin/projects/${id}` }))
  },
  surveys: async (q, signal) => {
    const { data } = await api.list('surveys', {
      filter: { q, managed: true },
      fields: { surveys: ['title'] },
      page: { size: RESULTS_PER_KIND },
      signal,
    })
    return data.map(({ id, title }) => ({ id, name: title, href: `/admin/surveys/${id}` }))
  },
  hubs: async (q, signal) => {
    const { data } = await api.list('hubs', {
      filter: { q, mine: true },
      fields: { hubs: ['title'] },
      page: { size: RESULTS_PER_KIND },
      signal,
    })
    return data.map(({ id, title }) => ({ id, name: title, href: `/admin/hubs/${id}` }))
  },
  people: async (q, signal) => {
    const { data } = await api.list('users', { filter: { q }, fields: { users: ['login'] }, page: { size: RESULTS_PER_KIND }, signal })
    return data.map(({ id, login }) => ({ id, name: login, href: `/admin/people/${id}` }))
  },
}

/** Records whose name contains `q`, the first few of each kind. */
export const findQuery = (q: string, kinds: readonly FindableKind[]) =>
  queryOptions({
    queryKey: ['find', q, kinds],
    queryFn: ({ signal }) => Promise.all(kinds.map(async (kind) => ({ kind, found: await SEARCH_BY_KIND[kind](q, signal) }))),
    placeholderData: keepPreviousData,
  })
