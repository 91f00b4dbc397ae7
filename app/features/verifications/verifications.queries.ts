import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['verifications'] as const

export const eligibilityListsQuery = queryOptions({
  queryKey: [...root, 'lists'],
  queryFn: ({ signal }) => api.list('eligibility-lists', { page: { size: 100 }, signal }),
})

export const codeBatchesQuery = queryOptions({
  queryKey: [...root, 'letters'],
  queryFn: ({ signal }) => api.list('code-batches', { page: { size: 100 }, signal }),
})

export const postcodeSettingsQuery = queryOptions({
  queryKey: [...root, 'postcodes'],
  queryFn: ({ signal }) => api.list('postcode-settings', { signal }),
})

/** What one person holds. */
export const personVerificationsQuery = (user: string) =>
  queryOptions({
    queryKey: [...root, 'of', user],
    queryFn: ({ signal }) => api.list('verifications', { filter: { user }, include: ['list'], page: { size: 100 }, signal }),
  })

export const forgetVerifications = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })
