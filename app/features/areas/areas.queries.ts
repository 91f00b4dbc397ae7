import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
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

export const invalidateAreas = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })

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
