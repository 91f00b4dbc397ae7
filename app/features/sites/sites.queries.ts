import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { omitUndefined } from '#app/lib/search-params.ts'
import { api } from '#app/shell/api.ts'
import type { SiteTableSearch } from './site-table-search.ts'

const root = ['sites'] as const
export const SITES_PER_PAGE = 25
export const DELETED_PER_PAGE = 25

export const siteTableQuery = ({ q, state, region, sort = 'name', page = 1 }: SiteTableSearch) =>
  queryOptions({
    queryKey: [...root, 'table', { q, state, region, sort, page }],
    queryFn: ({ signal }) =>
      api.list('sites', {
        filter: omitUndefined({ q, state: state && [state], region }),
        sort,
        include: ['deletion'],
        page: { number: page, size: SITES_PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Sites that give support access now. */
export const openSupportGrantsQuery = queryOptions({
  queryKey: [...root, 'support'],
  queryFn: ({ signal }) => api.list('open-support-grants', { signal }),
})

/** Deleted sites, latest first. `meta.waitingDays` applies to any site deleted from now on. */
export const deletedSitesQuery = (page: number) =>
  queryOptions({
    queryKey: [...root, 'deleted', page],
    queryFn: ({ signal }) =>
      api.list('site-deletions', { filter: { state: ['erased'] }, page: { number: page, size: DELETED_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

const isBeingMade = (exportState: string) => exportState === 'waiting' || exportState === 'running'

/** A site's deletion, polled while its export is being made. */
export const siteDeletionQuery = (site: string) =>
  queryOptions({
    queryKey: [...root, 'deletion', site],
    queryFn: async ({ signal }) => (await api.get('site-deletions', site, { signal })).data,
    refetchInterval: ({ state }) => (state.data && isBeingMade(state.data.exportState) ? 2000 : false),
  })

/** After any action on a site. */
export const forgetSites = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: [...root, 'table'] })

export const siteDomainsQuery = (site: string) =>
  queryOptions({
    queryKey: [...root, 'domains', site],
    queryFn: ({ signal }) => api.list('site-domains', { filter: { site }, signal }),
  })

export const siteQuery = (site: string) =>
  queryOptions({
    queryKey: [...root, 'one', site],
    queryFn: async ({ signal }) => (await api.get('sites', site, { signal })).data,
  })

/** A site's administrators; `meta.sendsMail` says whether it has a mail service. */
export const siteAdministratorsQuery = (site: string) =>
  queryOptions({
    queryKey: [...root, 'administrators', site],
    queryFn: ({ signal }) => api.list('site-administrators', { filter: { site }, page: { size: 100 }, signal }),
    staleTime: 0,
  })

export const grantsQuery = queryOptions({
  queryKey: [...root, 'support'],
  queryFn: ({ signal }) => api.list('support-grants', { page: { size: 50 }, signal }),
})
