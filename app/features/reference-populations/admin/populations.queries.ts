import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

export const populationsQuery = queryOptions({
  queryKey: ['reference-populations'],
  queryFn: async ({ signal }) => (await api.list('reference-populations', { page: { size: 50 }, signal })).data,
})
