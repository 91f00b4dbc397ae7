import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { omitUndefined } from '#app/lib/search-params.ts'
import type { SmsDirection } from '#app/lib/vocabulary/sms.ts'
import { api } from '#app/shell/api.ts'

const root = ['sms'] as const
const POLL_INTERVAL_MS = 2000
export const MESSAGES_PER_PAGE = 25

/** The site's texts, latest first, optionally of one direction; polled while any is on its way. */
export const messagesQuery = (page: number, direction?: SmsDirection) =>
  queryOptions({
    queryKey: [...root, 'messages', page, direction],
    queryFn: ({ signal }) =>
      api.list('sms-messages', { filter: omitUndefined({ direction }), page: { number: page, size: MESSAGES_PER_PAGE }, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'waiting' || status === 'sending') ? POLL_INTERVAL_MS : false,
  })

const THREAD_SIZE = 60
const THREAD_POLL_INTERVAL_MS = 1000

/** The latest texts of one number, latest first, polled. */
export const threadQuery = (phone: string) =>
  queryOptions({
    queryKey: [...root, 'messages', 'of', phone],
    queryFn: ({ signal }) => api.list('sms-messages', { filter: { phone }, page: { size: THREAD_SIZE }, signal }),
    staleTime: 0,
    refetchInterval: THREAD_POLL_INTERVAL_MS,
  })

export const forgetMessages = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [...root, 'messages'] })
