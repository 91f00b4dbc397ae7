import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { MAX_LINKS } from './report-views.schema.ts'

/** Saved reports that the viewer finds in their list, by name. */
export const reportViewsQuery = queryOptions({
  queryKey: ['report-views'],
  queryFn: ({ signal }) => api.list('report-views', { include: ['hub'], page: { size: 100 }, signal }),
})

/** Open links of an own report. */
export const reportLinksQuery = (view: string) =>
  queryOptions({
    queryKey: ['report-links', view],
    queryFn: ({ signal }) => api.list('report-links', { filter: { view }, page: { size: MAX_LINKS }, signal }),
  })
