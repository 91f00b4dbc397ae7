import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { forgetProject } from '#app/features/projects/projects.queries.ts'
import { api } from '#app/shell/api.ts'
import type { RevisedPlace } from './draft.schema.ts'

const MAX_REVISIONS = 60
const HISTORY_FIELDS = ['note', 'createdAt', 'publishedAt', 'author', 'waived'] as const

const buildRootKey = ({ subject, placeId }: RevisedPlace) => ['revisions', subject, placeId] as const
const toPageFilter = (hubId: string | null) => (hubId ? { hub: hubId } : { ofSite: true })
const toProjectFilter = (placeId: string | null) => ({ project: placeId ?? '' })

/** The newest revision of a place, if it has any. */
export const draftQuery = (place: RevisedPlace) =>
  queryOptions({
    queryKey: [...buildRootKey(place), 'draft'],
    queryFn: async ({ signal }): Promise<{ id: string; content: unknown } | null> => {
      const { subject, placeId } = place
      const newest = { sort: '-createdAt', page: { size: 1 }, signal } as const
      if (subject === 'homepage')
        return (await api.list('homepage-revisions', { filter: toPageFilter(placeId), ...newest })).data[0] ?? null
      if (subject === 'project')
        return (await api.list('project-revisions', { filter: toProjectFilter(placeId), ...newest })).data[0] ?? null
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
      const options = { page: { size: MAX_REVISIONS }, signal }
      const { data } = await listHistory(place, options)
      return data.map(({ id, note, createdAt, publishedAt, author }) => ({ id, note, createdAt, publishedAt, author }))
    },
    staleTime: 0,
  })

function listHistory({ subject, placeId }: RevisedPlace, options: { page: { size: number }; signal: AbortSignal }) {
  switch (subject) {
    case 'homepage':
      return api.list('homepage-revisions', { filter: toPageFilter(placeId), fields: { 'homepage-revisions': HISTORY_FIELDS }, ...options })
    case 'project':
      return api.list('project-revisions', {
        filter: toProjectFilter(placeId),
        fields: { 'project-revisions': HISTORY_FIELDS },
        ...options,
      })
    case 'appearance':
      return api.list('appearance-revisions', { fields: { 'appearance-revisions': HISTORY_FIELDS }, ...options })
  }
}

export const revisionQuery = (place: RevisedPlace, id: string) =>
  queryOptions({
    queryKey: [...buildRootKey(place), 'revision', id],
    queryFn: async ({ signal }): Promise<{ id: string; createdAt: string; content: unknown }> => {
      if (place.subject === 'homepage') return (await api.get('homepage-revisions', id, { signal })).data
      if (place.subject === 'project') return (await api.get('project-revisions', id, { signal })).data
      const { tokens, createdAt } = (await api.get('appearance-revisions', id, { signal })).data
      return { id, createdAt, content: tokens }
    },
    staleTime: Infinity,
  })

/** After something of a place was published or withdrawn. */
export async function forgetPublication(queryClient: QueryClient, place: RevisedPlace): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: historyQuery(place).queryKey }),
    place.subject === 'project' && place.placeId !== null ? forgetProject(queryClient, place.placeId) : undefined,
  ])
}

/** Active links to its draft. */
export const draftLinksQuery = (place: RevisedPlace) =>
  queryOptions({
    queryKey: ['draft-links', place],
    queryFn: async ({ signal }) => {
      const filter = {
        subject: [place.subject],
        ...(place.subject === 'project' ? toProjectFilter(place.placeId) : toPageFilter(place.placeId)),
      }
      return (await api.list('draft-links', { filter, page: { size: 100 }, signal })).data
    },
    staleTime: 0,
  })
