import { queryOptions } from '@tanstack/react-query'
import { getReach } from './reach.functions.ts'
import type { ReachSearch } from './reach.search.ts'

export const reachQuery = (search: ReachSearch) =>
  queryOptions({ queryKey: ['reach', search], queryFn: () => getReach({ data: search }), refetchInterval: 60_000 })
