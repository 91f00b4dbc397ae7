import { createFileRoute } from '@tanstack/react-router'
import { serveProjectDates } from '#app/features/calendar/project-dates.server.ts'

/** Key dates of a project, for the calendars of residents. */
export const Route = createFileRoute('/projects/$slug/dates.ics')({ server: { handlers: { GET: serveProjectDates } } })
