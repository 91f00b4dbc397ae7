import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

export const siteListQuery = queryOptions({
  queryKey: ['sites', 'list'],
  queryFn: ({ signal }) => api.list('sites', { page: { size: 100 }, signal }),
})

const isBeingMade = ({ exportState }: { exportState: string }) => exportState === 'waiting' || exportState === 'running'

/** Sites that are to be deleted, and those that were; looked at again while an export of one is being made. */
export const siteDeletionsQuery = queryOptions({
  queryKey: ['sites', 'deletions'],
  queryFn: ({ signal }) => api.list('site-deletions', { page: { size: 100 }, signal }),
  refetchInterval: ({ state }) => (state.data?.data.some(isBeingMade) ? 2000 : false),
})

export const siteDomainsQuery = (site: string) =>
  queryOptions({
    queryKey: ['sites', 'domains', site],
    queryFn: ({ signal }) => api.list('site-domains', { filter: { site }, signal }),
  })

export const grantsQuery = queryOptions({
  queryKey: ['sites', 'support'],
  queryFn: ({ signal }) => api.list('support-grants', { page: { size: 50 }, signal }),
})
