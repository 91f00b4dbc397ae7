import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getOutbox, getOutboxMail } from './outbox.functions.ts'

export const outboxQuery = (page: number) =>
  queryOptions({
    queryKey: ['outbox', 'list', page],
    queryFn: () => getOutbox({ data: { page } }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

export const outboxMailQuery = (id: string) =>
  queryOptions({ queryKey: ['outbox', 'one', id], queryFn: () => getOutboxMail({ data: { id } }) })
