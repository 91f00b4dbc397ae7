import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { areaMapQuery } from './area-map.queries.ts'
import { getFollowedDataset } from './files/area-files.functions.ts'
import { MAX_AREAS } from './areas.schema.ts'

const root = ['areas'] as const

export const areasQuery = queryOptions({
  queryKey: [...root, 'all'],
  queryFn: async ({ signal }) => (await api.list('areas', { page: { size: MAX_AREAS }, signal })).data,
})

export const lostAreasQuery = queryOptions({
  queryKey: [...root, 'lost'],
  queryFn: async ({ signal }) => (await api.list('lost-areas', { page: { size: MAX_AREAS }, signal })).data,
})

/** The site's areas with their outlines, for those who may change them. */
export const outlinesQuery = queryOptions({
  queryKey: [...root, 'outlines'],
  queryFn: async ({ signal }) => (await api.list('area-outlines', { page: { size: MAX_AREAS }, signal })).data,
})

/** The dataset that they come from, whose title is null if they were uploaded or drawn. */
export const followedDatasetQuery = queryOptions({ queryKey: [...root, 'followed'], queryFn: () => getFollowedDataset() })

/** All that shows areas. */
export async function invalidateAreas(queryClient: QueryClient): Promise<void> {
  await Promise.all([root, areaMapQuery.queryKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

export const placementQuery = (project: string) =>
  queryOptions({
    queryKey: [...root, 'project', project],
    queryFn: async ({ signal }) => (await api.get('project-placements', project, { signal })).data,
  })

export const surveyAreasQuery = (survey: string) =>
  queryOptions({
    queryKey: [...root, 'survey', survey],
    queryFn: async ({ signal }) => (await api.list('survey-areas', { filter: { survey }, page: { size: MAX_AREAS }, signal })).data,
  })

export const invalidatePlacement = (queryClient: QueryClient, project: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: placementQuery(project).queryKey })
