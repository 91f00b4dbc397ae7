import { createFileRoute } from '@tanstack/react-router'
import { serveSecretCalendar } from '#app/features/calendar/secret-calendar.server.ts'

/** The calendar of the person who made this address, for their calendar program. */
export const Route = createFileRoute('/calendar/{$secret}.ics')({ server: { handlers: { GET: serveSecretCalendar } } })
