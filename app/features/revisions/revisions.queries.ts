import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import type { RevisedPlace, SharedPlace } from './draft.schema.ts'

const MAX_REVISIONS = 60
const HISTORY_FIELDS = ['note', 'createdAt', 'publishedAt', 'author', 'waived'] as const

const buildRootKey = ({ subject, hubId }: RevisedPlace) => ['revisions', subject, hubId] as const
const toPageFilter = (hubId: string | null) => (hubId ? { hub: hubId } : { ofSite: true })

/** The newest revision of a place, if it has any. */
export const draftQuery = (place: RevisedPlace) =>
  queryOptions({
    queryKey: [...buildRootKey(place), 'draft'],
    queryFn: async ({ signal }): Promise<{ id: string; content: unknown } | null> => {
      const newest = { sort: '-createdAt', page: { size: 1 }, signal } as const
      if (place.subject === 'homepage') {
        const { data } = await api.list('homepage-revisions', { filter: toPageFilter(place.hubId), ...newest })
        return data[0] ?? null
      }
      const [first] = (await api.list('appearance-revisions', newest)).data
      return first ? { id: first.id, content: first.tokens } : null
    },
    staleTime: 0,
    gcTime: 0,
  })

/** Its revisions without content, newest first. */
export const historyQuery = (place: RevisedPlace) =>
  queryOptions({
    queryKey: [...buildRootKey(place), 'history'],
    queryFn: async ({ signal }) => {
      const page = { size: MAX_REVISIONS }
      const { data } =
        place.subject === 'homepage'
          ? await api.list('homepage-revisions', {
              filter: toPageFilter(place.hubId),
              fields: { 'homepage-revisions': HISTORY_FIELDS },
              page,
              signal,
            })
          : await api.list('appearance-revisions', { fields: { 'appearance-revisions': HISTORY_FIELDS }, page, signal })
      return data.map(({ id, note, createdAt, publishedAt, author }) => ({ id, note, createdAt, publishedAt, author }))
    },
    staleTime: 0,
  })

export const revisionQuery = (place: RevisedPlace, id: string) =>
  queryOptions({
    queryKey: [...buildRootKey(place), 'revision', id],
    queryFn: async ({ signal }): Promise<{ id: string; createdAt: string; content: unknown }> => {
      if (place.subject === 'homepage') return (await api.get('homepage-revisions', id, { signal })).data
      const { tokens, createdAt } = (await api.get('appearance-revisions', id, { signal })).data
      return { id, createdAt, content: tokens }
    },
    staleTime: Infinity,
  })

/** Active links to its draft. */
export const draftLinksQuery = (place: SharedPlace) =>
  queryOptions({
    queryKey: ['draft-links', place],
    queryFn: async ({ signal }) => {
      const filter = {
        subject: [place.subject],
        ...(place.subject === 'project' ? { project: place.projectId } : toPageFilter(place.hubId)),
      }
      return (await api.list('draft-links', { filter, page: { size: 100 }, signal })).data
    },
    staleTime: 0,
  })
