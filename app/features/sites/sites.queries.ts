import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

export const siteListQuery = queryOptions({
  queryKey: ['sites', 'list'],
  queryFn: ({ signal }) => api.list('sites', { page: { size: 100 }, signal }),
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
