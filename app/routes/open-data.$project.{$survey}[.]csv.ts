import { createFileRoute } from '@tanstack/react-router'
import { serveResultsCsv } from '#app/features/opencities/open-data.files.server.ts'

/** A consultation's results as a table. */
export const Route = createFileRoute('/open-data/$project/{$survey}.csv')({ server: { handlers: { GET: serveResultsCsv } } })
