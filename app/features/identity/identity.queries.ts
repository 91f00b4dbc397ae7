import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const KEY = ['identity-providers'] as const

export const providersQuery = queryOptions({
  queryKey: [...KEY, 'list'],
  queryFn: ({ signal }) => api.list('identity-providers', { page: { size: 50 }, signal }),
})

export const providerQuery = (id: string) =>
  queryOptions({ queryKey: [...KEY, id], queryFn: ({ signal }) => api.get('identity-providers', id, { signal }) })

export const providerTestsQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEY, id, 'tests'],
    queryFn: ({ signal }) => api.list('identity-provider-tests', { filter: { provider: id }, signal }),
  })

export const requestsQuery = queryOptions({
  queryKey: ['identity-requests'],
  queryFn: ({ signal }) => api.list('identity-requests', { page: { size: 50 }, signal }),
})

export const PROVIDERS_KEY = KEY
