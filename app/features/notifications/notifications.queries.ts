import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { MAX_NOTIFICATIONS } from './notifications.schema.ts'

const REFETCH_INTERVAL_MS = 60_000

/** What an administrator is told. Polled while the page is visible. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => api.list('notifications', { filter: { own: false }, page: { size: MAX_NOTIFICATIONS }, signal }),
  refetchInterval: REFETCH_INTERVAL_MS,
})
