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

/** What the editor of a report offers. */
export const reportChoicesQuery = (project: string) =>
  queryOptions({ queryKey: [...REPORTS_ROOT, 'choices', project], queryFn: () => readReportChoices({ data: { project } }), staleTime: 0 })
