import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { REPORTS_ROOT } from '#app/shell/query-roots.ts'
import { readReportChoices } from './heard-reports.functions.ts'

/** Published reports of a project, the newest first. */
export const reportsQuery = (project: string) =>
  queryOptions({
    queryKey: [...REPORTS_ROOT, 'list', project],
    queryFn: ({ signal }) =>
      api.list('heard-reports', {
        filter: { project },
        fields: { 'heard-reports': ['version', 'status', 'asOf', 'kind'] },
        page: { size: 100 },
        signal,
      }),
  })

/** Whether the draft of a report waits for a colleague, or was returned; an empty list if neither. */
export const reportReviewQuery = (project: string) =>
  queryOptions({
    queryKey: [...REPORTS_ROOT, 'review', project],
    queryFn: ({ signal }) => api.list('heard-report-reviews', { filter: { project }, signal }),
    staleTime: 0,
  })

/** The blocks that are published, for what a draft changes of them; null before any is. */
export const publishedReportQuery = (project: string) =>
  queryOptions({
    queryKey: [...REPORTS_ROOT, 'published', project],
    queryFn: async ({ signal }) => {
      const [report] = (await api.list('heard-reports', { filter: { project, status: ['published'] }, page: { size: 1 }, signal })).data
      const revision = report?.relationships.revision?.id
      return revision ? (await api.get('heard-report-revisions', revision, { signal })).data.content : null
    },
    staleTime: 0,
  })

/** What the editor of a report offers. */
export const reportChoicesQuery = (project: string) =>
  queryOptions({ queryKey: [...REPORTS_ROOT, 'choices', project], queryFn: () => readReportChoices({ data: { project } }), staleTime: 0 })
