import { createFileRoute } from '@tanstack/react-router'
import { CalendarPage } from '#app/features/calendar/admin/CalendarPage.tsx'
import { readCalendarSearch } from '#app/features/calendar/calendar-search.ts'
import { calendarLinkQuery, calendarQuery } from '#app/features/calendar/calendar.queries.ts'

export const Route = createFileRoute('/admin/calendar/')({
  staticData: { namespaces: ['calendar'] },
  validateSearch: readCalendarSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    Promise.all([queryClient.ensureQueryData(calendarQuery(deps)), queryClient.ensureQueryData(calendarLinkQuery)]),
  component: Calendar,
})

function Calendar() {
  return <CalendarPage search={Route.useSearch()} />
}
