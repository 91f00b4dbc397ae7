import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { WebhookStatus } from '#app/lib/vocabulary/webhooks.ts'
import { api } from '#app/shell/api.ts'

const root = ['marketplace'] as const
export const CALLS_PER_PAGE = 20

export const integrationsQuery = queryOptions({
  queryKey: [...root, 'integrations'],
  queryFn: ({ signal }) => api.list('integrations', { page: { size: 100 }, signal }),
})

export const integrationQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'integration', id], queryFn: ({ signal }) => api.get('integrations', id, { signal }) })

/** All of them: a site has few. */
export const installationsQuery = queryOptions({
  queryKey: [...root, 'installations'],
  queryFn: ({ signal }) => api.list('installations', { page: { size: 100 }, signal }),
})

export const callsQuery = (installation: string, page: number) =>
  queryOptions({
    queryKey: [...root, 'calls', installation, page],
    queryFn: ({ signal }) =>
      api.list('installation-calls', { filter: { installation }, page: { number: page, size: CALLS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

export const DELIVERIES_PER_PAGE = 20

export const deliveriesQuery = (status: WebhookStatus | undefined, page: number) =>
  queryOptions({
    queryKey: [...root, 'deliveries', status ?? 'all', page],
    queryFn: ({ signal }) =>
      api.list('webhook-deliveries', {
        ...(status ? { filter: { status: [status] } } : {}),
        page: { number: page, size: DELIVERIES_PER_PAGE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const invalidateDeliveries = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [...root, 'deliveries'] })

/** Invalidates installations, their state and their logs. */
export const invalidateInstallations = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: root, predicate: ({ queryKey }) => queryKey[1] === 'installations' || queryKey[1] === 'calls' })
