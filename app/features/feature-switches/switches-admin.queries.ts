import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { given, textParam, wholeParam } from '#app/lib/search-params.ts'
import { api } from '#app/shell/api.ts'
import type { Switched } from './feature-switches.schema.ts'

const switches = ['feature-switches'] as const
export const SITES_PER_TABLE = 25

/** Which sites are shown with their switch; it stands in the address. */
export interface SwitchesSearch {
  q?: string
  page?: number
}

export const readSwitchesSearch = ({ q, page }: Record<string, unknown>): SwitchesSearch =>
  given({ q: textParam(q, 200), page: wholeParam(page, 2, 100_000) })

/** The platform's own switches. */
export const platformSwitchesQuery = queryOptions({
  queryKey: [...switches, 'platform'],
  queryFn: ({ signal }) => api.list('feature-switches', { filter: { place: 'platform' }, page: { size: 200 }, signal }),
})

/** One feature's switch on each site. */
export const siteSwitchesQuery = (feature: Switched, { q, page = 1 }: SwitchesSearch) =>
  queryOptions({
    queryKey: [...switches, 'sites', feature, q, page],
    queryFn: ({ signal }) =>
      api.list('feature-switches', {
        filter: { feature, place: 'site', ...given({ q }) },
        page: { number: page, size: SITES_PER_TABLE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** After a switch was set: the platform's own counts for every site that follows it. */
export const forgetSwitches = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: switches })
