import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '#app/shell/api.ts'
import type { CalendarSearch } from './calendar-search.ts'
import { getCalendar } from './calendar.functions.ts'

export const calendarQuery = (search: CalendarSearch) =>
  queryOptions({
    queryKey: ['calendar', search],
    queryFn: () => getCalendar({ data: search }),
    placeholderData: keepPreviousData,
  })

/** The viewer's own secret address, if they have one. */
export const calendarLinkQuery = queryOptions({
  queryKey: ['calendar-link'],
  queryFn: ({ signal }) => api.list('calendar-links', { signal }),
})
