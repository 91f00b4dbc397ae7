import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

export const jargonListsQuery = queryOptions({
  queryKey: ['jargon-lists'],
  queryFn: ({ signal }) => api.list('jargon-lists', { signal }),
})
