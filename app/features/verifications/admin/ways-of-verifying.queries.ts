import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { VERIFICATIONS_KEY } from '../verifications.queries.ts'

export const codeBatchesQuery = queryOptions({
  queryKey: [...VERIFICATIONS_KEY, 'letters'],
  queryFn: ({ signal }) => api.list('code-batches', { page: { size: 100 }, signal }),
})

export const postcodeSettingsQuery = queryOptions({
  queryKey: [...VERIFICATIONS_KEY, 'postcodes'],
  queryFn: ({ signal }) => api.list('postcode-settings', { signal }),
})
