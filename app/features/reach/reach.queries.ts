import { queryOptions } from '@tanstack/react-query'
import { getReach, getReachSummary } from './reach.functions.ts'
import type { ReachSearch } from './reach.search.ts'

export const reachQuery = (search: ReachSearch) =>
  queryOptions({ queryKey: ['reach', search], queryFn: () => getReach({ data: search }), refetchInterval: 60_000 })

export const reachSummaryQuery = (search: ReachSearch) =>
  queryOptions({ queryKey: ['reach-summary', search], queryFn: () => getReachSummary({ data: search }), refetchInterval: 60_000 })
