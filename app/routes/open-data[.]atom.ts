import { createFileRoute } from '@tanstack/react-router'
import { serveResultsFeed } from '#app/features/opencities/open-data.files.server.ts'

/** Feed of consultation results, most recently changed first. */
export const Route = createFileRoute('/open-data.atom')({ server: { handlers: { GET: serveResultsFeed } } })
