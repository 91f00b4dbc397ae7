import { queryOptions } from '@tanstack/react-query'
import { getDashboard, getFirstSteps } from './dashboard.functions.ts'

export const dashboardQuery = queryOptions({ queryKey: ['dashboard'], queryFn: () => getDashboard(), refetchInterval: 60_000 })

export const firstStepsQuery = queryOptions({ queryKey: ['dashboard', 'first-steps'], queryFn: () => getFirstSteps(), staleTime: 0 })
