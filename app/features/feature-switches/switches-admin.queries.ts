import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { omitUndefined, readTextParam, readIntegerParam } from '#app/lib/search-params.ts'
import { api } from '#app/shell/api.ts'
import type { SwitchableFeature } from './feature-switches.schema.ts'

const switchesKey = ['feature-switches'] as const
export const SITES_PER_TABLE = 25

/** State of the site list in the URL. */
export interface SwitchesSearch {
  q?: string
  page?: number
}

export const readSwitchesSearch = ({ q, page }: Record<string, unknown>): SwitchesSearch =>
  omitUndefined({ q: readTextParam(q, 200), page: readIntegerParam(page, 2, 100_000) })

/** The platform's defaults. */
export const platformSwitchesQuery = queryOptions({
  queryKey: [...switchesKey, 'platform'],
  queryFn: ({ signal }) => api.list('feature-switches', { filter: { place: 'platform' }, page: { size: 200 }, signal }),
})

/** One feature's switch on each site. */
export const siteSwitchesQuery = (feature: SwitchableFeature, { q, page = 1 }: SwitchesSearch) =>
  queryOptions({
    queryKey: [...switchesKey, 'sites', feature, q, page],
    queryFn: ({ signal }) =>
      api.list('feature-switches', {
        filter: { feature, place: 'site', ...omitUndefined({ q }) },
        page: { number: page, size: SITES_PER_TABLE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Invalidates all switches, because the platform's default affects every site that follows it. */
export const invalidateSwitches = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: switchesKey })
