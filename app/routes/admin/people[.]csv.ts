import { createFileRoute } from '@tanstack/react-router'
import { exportPeople } from '#app/features/people/people.export.server.ts'

/** The people that the viewer manages. */
export const Route = createFileRoute('/admin/people.csv')({ server: { handlers: { GET: exportPeople } } })
