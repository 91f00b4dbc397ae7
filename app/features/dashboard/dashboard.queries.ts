import { queryOptions } from '@tanstack/react-query'
import { getDashboard } from './dashboard.functions.ts'

export const dashboardQuery = queryOptions({ queryKey: ['dashboard'], queryFn: () => getDashboard(), refetchInterval: 60_000 })
