import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import { getMailService, getOutbox, getOutboxMail } from './outbox.functions.ts'
import { ADDRESSES_PER_PAGE } from './outbox.schema.ts'

export const outboxQuery = (page: number) =>
  queryOptions({
    queryKey: ['outbox', 'list', page],
    queryFn: async () => {
      const { rows, total } = await getOutbox({ data: { page } })
      return { data: rows, meta: { total } }
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

export const mailServiceQuery = queryOptions({ queryKey: ['outbox', 'service'], queryFn: () => getMailService() })

export const outboxMailQuery = (id: string) =>
  queryOptions({ queryKey: ['outbox', 'one', id], queryFn: () => getOutboxMail({ data: { id } }), staleTime: Infinity })

/** Addresses with delivery failures, stopped ones first. */
export const mailAddressesQuery = (page: number) =>
  queryOptions({
    queryKey: [...MAIL_ADDRESSES_KEY, page],
    queryFn: ({ signal }) => api.list('mail-addresses', { page: { number: page, size: ADDRESSES_PER_PAGE }, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

export const MAIL_ADDRESSES_KEY = ['outbox', 'addresses'] as const
