import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'

const root = ['events']
const SIGN_UPS_AT_ONCE = 100

export const eventsQuery = (project: string) =>
  queryOptions({
    queryKey: [...root, 'list', project],
    queryFn: ({ signal }) => api.list('events', { filter: { project }, page: { size: 100 }, signal }),
  })

export const eventQuery = (id: string) =>
  queryOptions({ queryKey: [...root, 'event', id], queryFn: ({ signal }) => api.get('events', id, { signal }) })

/** A page of the sign-ups that were not cancelled, oldest first. @param page from 1 on */
export const signUpsQuery = (event: string, page: number) =>
  queryOptions({
    queryKey: [...root, 'sign-ups', event, page],
    queryFn: ({ signal }) =>
      api.list('event-sign-ups', {
        filter: { event, state: ['going', 'waiting'] },
        page: { number: page, size: SIGN_UPS_AT_ONCE },
        signal,
      }),
  })

export const forgetEvents = (queryClient: QueryClient): Promise<void> => queryClient.invalidateQueries({ queryKey: root })
