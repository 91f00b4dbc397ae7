import { createFileRoute } from '@tanstack/react-router'
import { serveResultsFeed } from '#app/features/opencities/open-data.files.server.ts'

/** Results of consultations, the last changed first. */
export const Route = createFileRoute('/open-data.atom')({ server: { handlers: { GET: serveResultsFeed } } })
