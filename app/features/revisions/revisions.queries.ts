import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { forgetProject } from '#app/features/projects/projects.queries.ts'
import { api } from '#app/shell/api.ts'
import { CONTRIBUTIONS_ROOT, REPORTS_ROOT } from '#app/shell/query-roots.ts'
import type { EditedPlace, LinkedPlace, RevisedPlace } from './draft.schema.ts'

const MAX_REVISIONS = 60
const HISTORY_FIELDS = ['note', 'createdAt', 'publishedAt', 'author', 'waived'] as const

const buildRootKey = ({ subject, placeId }: EditedPlace) => ['revisions', subject, placeId] as const
const toPageFilter = (hubId: string | null) => (hubId ? { hub: hubId } : { ofSite: true })
const toActivityFilter = (placeId: string | null) => ({ activity: placeId ?? '' })
const toProjectFilter = (placeId: string | null) => ({ project: placeId ?? '' })

export interface NewestRevision {
  id: string
  content: unknown
  createdAt?: string
  author?: string | null
}

/** The newest revision of a place, if it has any. */
export const draftQuery = (place: RevisedPlace) =>
  queryOptions({
    queryKey: [...buildRootKey(place), 'draft'],
    queryFn: async ({ signal }): Promise<NewestRevision | null> => {
      const { subject, placeId } = place
      const newest = { sort: '-createdAt', page: { size: 1 }, signal } as const
      if (subject === 'homepage')
        return (await api.list('homepage-revisions', { filter: toPageFilter(placeId), ...newest })).data[0] ?? null
      if (subject === 'project')
        return (await api.list('project-revisions', { filter: toProjectFilter(placeId), ...newest })).data[0] ?? null
      if (subject === 'activity')
        return (await api.list('activity-revisions', { filter: toActivityFilter(placeId), ...newest })).data[0] ?? null
      if (subject === 'heard-report')
        return (await api.list('heard-report-revisions', { filter: toProjectFilter(placeId), ...newest })).data[0] ?? null
      const [first] = (await api.list('appearance-revisions', newest)).data
      return first ? { id: first.id, content: first.tokens } : null
    },
    staleTime: 0,
    gcTime: 0,
  })

/** Its revisions without content, newest first. After the first page, only the last of each ten minutes. */
export const historyQuery = (place: EditedPlace) =>
  infiniteQueryOptions({
    queryKey: [...buildRootKey(place), 'history'],
    queryFn: async ({ pageParam: stepsBefore, signal }) => {
      const earlier = stepsBefore === undefined ? {} : { stepsBefore }
      return listHistory(place, earlier, { page: { size: MAX_REVISIONS }, signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < MAX_REVISIONS ? undefined : page.at(-1)?.createdAt),
    staleTime: 0,
  })

/** A revision in the list of them. */
export interface ListedRevision {
  id: string
  note: string | null
  createdAt: string
  publishedAt: string | null
  author?: string | null | undefined
  /** Of a survey: the number of the published version with the same questions. */
  version?: number | null
}

async function listHistory(
  { subject, placeId }: EditedPlace,
  earlier: { stepsBefore?: string },
  options: { page: { size: number }; signal: AbortSignal },
): Promise<readonly ListedRevision[]> {
  switch (subject) {
    case 'homepage': {
      const filter = { ...toPageFilter(placeId), ...earlier }
      return (await api.list('homepage-revisions', { filter, fields: { 'homepage-revisions': HISTORY_FIELDS }, ...options })).data
    }
    case 'project': {
      const filter = { ...toProjectFilter(placeId), ...earlier }
      return (await api.list('project-revisions', { filter, fields: { 'project-revisions': HISTORY_FIELDS }, ...options })).data
    }
    case 'activity': {
      const filter = { ...toActivityFilter(placeId), ...earlier }
      return (await api.list('activity-revisions', { filter, fields: { 'activity-revisions': HISTORY_FIELDS }, ...options })).data
    }
    case 'heard-report': {
      const filter = { ...toProjectFilter(placeId), ...earlier }
      return (await api.list('heard-report-revisions', { filter, fields: { 'heard-report-revisions': HISTORY_FIELDS }, ...options })).data
    }
    case 'appearance':
      return (await api.list('appearance-revisions', { filter: earlier, fields: { 'appearance-revisions': HISTORY_FIELDS }, ...options }))
        .data
    case 'survey':
      return (await api.list('survey-revisions', { filter: { survey: placeId ?? '', ...earlier }, ...options })).data
  }
}

export const revisionQuery = (place: EditedPlace, id: string) =>
  queryOptions({
    queryKey: [...buildRootKey(place), 'revision', id],
    queryFn: async ({ signal }): Promise<{ id: string; createdAt: string; content: unknown }> => {
      switch (place.subject) {
        case 'homepage':
          return (await api.get('homepage-revisions', id, { signal })).data
        case 'project':
          return (await api.get('project-revisions', id, { signal })).data
        case 'activity':
          return (await api.get('activity-revisions', id, { signal })).data
        case 'heard-report':
          return (await api.get('heard-report-revisions', id, { signal })).data
        case 'appearance': {
          const { tokens, createdAt } = (await api.get('appearance-revisions', id, { signal })).data
          return { id, createdAt, content: tokens }
        }
        case 'survey': {
          const { definition, createdAt } = (await api.get('survey-revisions', id, { signal })).data
          return { id, createdAt, content: definition }
        }
      }
    },
    staleTime: Infinity,
  })

/** After something of a place was published or withdrawn. */
export async function forgetPublication(queryClient: QueryClient, place: RevisedPlace): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: historyQuery(place).queryKey }),
    place.subject === 'project' && place.placeId !== null ? forgetProject(queryClient, place.placeId) : undefined,
    place.subject === 'activity' ? queryClient.invalidateQueries({ queryKey: CONTRIBUTIONS_ROOT }) : undefined,
    place.subject === 'heard-report' ? queryClient.invalidateQueries({ queryKey: REPORTS_ROOT }) : undefined,
  ])
}

/** Active links to its draft. */
export const draftLinksQuery = (place: LinkedPlace) =>
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
