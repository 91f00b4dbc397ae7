import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['homepage'] as const
const MOST_REVISIONS = 60

const ofPage = (hubId: string | null) => (hubId ? { hub: hubId } : { ofSite: true })

/** Hubs whose page the viewer edits. */
export const editedHubsQuery = queryOptions({
  queryKey: [...root, 'hubs'],
  queryFn: async ({ signal }) => (await api.list('hubs', { filter: { mine: true }, page: { size: 100 }, signal })).data,
})

/** The draft of a page: its newest revision, if it has any. */
export const draftQuery = (hubId: string | null) =>
  queryOptions({
    queryKey: [...root, 'draft', hubId],
    queryFn: async ({ signal }) => {
      const { data } = await api.list('homepage-revisions', { filter: ofPage(hubId), sort: '-createdAt', page: { size: 1 }, signal })
      return data[0] ?? null
    },
    staleTime: 0,
    gcTime: 0,
  })

/** The page's revisions without their content, newest first. */
export const historyQuery = (hubId: string | null) =>
  queryOptions({
    queryKey: [...root, 'history', hubId],
    queryFn: async ({ signal }) => {
      const { data } = await api.list('homepage-revisions', {
        filter: ofPage(hubId),
        fields: { 'homepage-revisions': ['note', 'createdAt', 'publishedAt', 'author', 'waived'] },
        page: { size: MOST_REVISIONS },
        signal,
      })
      return data
    },
    staleTime: 0,
  })

/** One revision with its content. */
export const revisionQuery = (id: string) =>
  queryOptions({
    queryKey: [...root, 'revision', id],
    queryFn: async ({ signal }) => (await api.get('homepage-revisions', id, { signal })).data,
    staleTime: Infinity,
  })

/** Projects and surveys that blocks can name. */
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
