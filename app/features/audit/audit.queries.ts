import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { toAuditFilter, type AuditSearch } from './audit-search.ts'
import { EVENTS_PER_PAGE } from './audit.schema.ts'

export const auditQuery = (search: AuditSearch, zone: string) =>
  queryOptions({
    queryKey: ['audit', 'list', search],
    queryFn: ({ signal }) =>
      api.list('audit-events', { filter: toAuditFilter(search, zone), page: { number: search.page ?? 1, size: EVENTS_PER_PAGE }, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

/** Fetched on request only: it reads the whole trail. */
export const auditCheckQuery = queryOptions({
  queryKey: ['audit', 'check'],
  queryFn: ({ signal }) => api.read('audit-check', { signal }),
  enabled: false,
})
