import { queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { MAX_NOTIFICATIONS } from './notifications.schema.ts'

const REFETCH_INTERVAL_MS = 60_000

/** What the viewer is told of; asked for again and again while the page is looked at. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => api.list('notifications', { page: { size: MAX_NOTIFICATIONS }, signal }),
  refetchInterval: REFETCH_INTERVAL_MS,
})
