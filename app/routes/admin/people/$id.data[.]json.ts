import { createFileRoute } from '@tanstack/react-router'
import { exportPersonFile } from '#app/features/people/people.export.server.ts'

/** Everything the site stores about one person. */
export const Route = createFileRoute('/admin/people/$id/data.json')({ server: { handlers: { GET: exportPersonFile } } })
