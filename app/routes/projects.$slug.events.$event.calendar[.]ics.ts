import { createFileRoute } from '@tanstack/react-router'
import { serveEventDate } from '#app/features/calendar/project-dates.server.ts'

/** An event, for the calendars of residents. */
export const Route = createFileRoute('/projects/$slug/events/$event/calendar.ics')({ server: { handlers: { GET: serveEventDate } } })
