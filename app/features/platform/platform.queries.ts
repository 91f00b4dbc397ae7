import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { omitUndefined } from '#app/lib/search-params.ts'
import { api } from '#app/shell/api.ts'
import type { FiguresSearch } from './figures-search.ts'

const root = ['platform'] as const
export const FIGURES_PER_PAGE = 25
const REFETCH_INTERVAL_MS = 60_000

/** The figures of each site, with their totals in `meta.totals`. */
export const siteFiguresQuery = ({ q, sort = '-responses', page = 1 }: FiguresSearch) =>
  queryOptions({
    queryKey: [...root, 'figures', { q, sort, page }],
    queryFn: async ({ signal }) => {
      const { data, meta } = await api.list('site-figures', {
        filter: omitUndefined({ q }),
        sort,
        page: { number: page, size: FIGURES_PER_PAGE },
        signal,
      })
      return { data, meta: { total: meta.total, totals: meta['totals'] as Totals } }
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
  })

interface Totals {
  sites: number
  failing: number
  openProjects: number
  participants: number
  responses: number
  aware: number
  informed: number
  engaged: number
  countedAt: string | null
}

/** Sites with at least one failing connection. */
export const failingSitesQuery = (page: number) =>
  queryOptions({
    queryKey: [...root, 'failing', page],
    queryFn: ({ signal }) =>
      api.list('site-figures', { filter: { failing: true }, page: { number: page, size: FIGURES_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
  })

export const jobTurnsQuery = queryOptions({
  queryKey: [...root, 'jobs'],
  queryFn: ({ signal }) => api.list('job-turns', { signal }),
  refetchInterval: REFETCH_INTERVAL_MS,
})
