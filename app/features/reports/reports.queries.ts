import { queryOptions } from '@tanstack/react-query'
import type { ReportSearch } from './report.search.ts'
import { getReport } from './reports.functions.ts'

export const reportQuery = (search: ReportSearch) =>
  queryOptions({ queryKey: ['report', search], queryFn: () => getReport({ data: search }) })
