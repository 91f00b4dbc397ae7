import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { normaliseText } from '#app/lib/normalise-text.ts'
import { api } from '#app/shell/api.ts'

export const FINDABLE = ['projects', 'surveys', 'hubs', 'people'] as const
export type Findable = (typeof FINDABLE)[number]

/** Letters before anything is asked for. */
export const SHORTEST_WORD = 2
const EACH = 5

interface Found {
  id: string
  name: string
  href: string
}

const SEARCHES: Record<Findable, (q: string, signal: AbortSignal) => Promise<Found[]>> = {
  projects: async (q, signal) => {
    const { data } = await api.list('projects', { filter: { q }, fields: { projects: ['title'] }, page: { size: EACH }, signal })
    return data.map(({ id, title }) => ({ id, name: title, href: `/admin/projects/${id}` }))
  },
  surveys: async (q, signal) => {
    const { data } = await api.list('surveys', {
      filter: { q, managed: true },
      fields: { surveys: ['title'] },
      page: { size: EACH },
      signal,
    })
    return data.map(({ id, title }) => ({ id, name: title, href: `/admin/surveys/${id}` }))
  },
  // Few on any site, so all of them are asked for and looked through here.
  hubs: async (q, signal) => {
    const { data } = await api.list('hubs', { filter: { mine: true }, fields: { hubs: ['title'] }, page: { size: 100 }, signal })
    const found = data.filter(({ title }) => normaliseText(title).includes(normaliseText(q))).slice(0, EACH)
    return found.map(({ id, title }) => ({ id, name: title, href: `/admin/hubs/${id}` }))
  },
  people: async (q, signal) => {
    const { data } = await api.list('users', { filter: { q }, fields: { users: ['login'] }, page: { size: EACH }, signal })
    return data.map(({ id, login }) => ({ id, name: login, href: `/admin/people/${id}` }))
  },
}

/** What has these words in its name, the first few of each kind. */
export const findQuery = (q: string, kinds: readonly Findable[]) =>
  queryOptions({
    queryKey: ['find', q, kinds],
    queryFn: ({ signal }) => Promise.all(kinds.map(async (kind) => ({ kind, found: await SEARCHES[kind](q, signal) }))),
    placeholderData: keepPreviousData,
  })
