import { queryOptions } from '@tanstack/react-query'
import { readActivityResults } from './activity-results.functions.ts'

export const activityResultsQuery = (activity: string) =>
  queryOptions({
    queryKey: ['contributions', 'results', activity],
    queryFn: ({ signal }) => readActivityResults({ data: { activity }, signal }),
  })
