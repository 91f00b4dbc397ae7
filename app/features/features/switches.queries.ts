import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import type { Switched } from './features.schema.ts'

const switches = ['feature-switches'] as const
export const SITES_PER_TABLE = 25

/** The platform's own switches. */
export const platformSwitchesQuery = queryOptions({
  queryKey: [...switches, 'platform'],
  queryFn: ({ signal }) => api.list('feature-switches', { filter: { place: 'platform' }, page: { size: 200 }, signal }),
})

/** One feature's switch on each site. */
export const siteSwitchesQuery = (feature: Switched, page: number) =>
  queryOptions({
    queryKey: [...switches, 'sites', feature, page],
    queryFn: ({ signal }) =>
      api.list('feature-switches', { filter: { feature, place: 'site' }, page: { number: page, size: SITES_PER_TABLE }, signal }),
    placeholderData: keepPreviousData,
  })

/** After a switch was set: the platform's own counts for every site that follows it. */
export const forgetSwitches = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: switches })
