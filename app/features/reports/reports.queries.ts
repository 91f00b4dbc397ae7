import { queryOptions } from '@tanstack/react-query'
import type { ReportSearch } from './report.search.ts'
import { getReport, getReportFile } from './reports.functions.ts'

export const reportQuery = (search: ReportSearch) =>
  queryOptions({ queryKey: ['report', search], queryFn: () => getReport({ data: search }) })

const LOOK_AGAIN_MS = 1000

export const reportFileQuery = (id: string) =>
  queryOptions({
    queryKey: ['report-file', id],
    queryFn: () => getReportFile({ data: { id } }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' || state.data?.state === 'running' ? LOOK_AGAIN_MS : false),
  })
