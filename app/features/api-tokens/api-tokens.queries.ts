import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

export const apiTokensQuery = queryOptions({
  queryKey: ['api-tokens'],
  queryFn: ({ signal }) => api.list('api-tokens', { page: { size: 100 }, signal }),
})
