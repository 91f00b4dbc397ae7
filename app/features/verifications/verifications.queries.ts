import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

export const VERIFICATIONS_KEY = ['verifications'] as const

export const eligibilityListsQuery = queryOptions({
  queryKey: [...VERIFICATIONS_KEY, 'lists'],
  queryFn: ({ signal }) => api.list('eligibility-lists', { page: { size: 100 }, signal }),
})

/** What one person holds. */
export const personVerificationsQuery = (user: string) =>
  queryOptions({
    queryKey: [...VERIFICATIONS_KEY, 'of', user],
    queryFn: ({ signal }) => api.list('verifications', { filter: { user }, include: ['list'], page: { size: 100 }, signal }),
  })

export const forgetVerifications = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: VERIFICATIONS_KEY })
