import { createFileRoute } from '@tanstack/react-router'
import { serveResultsJson } from '#app/features/opencities/open-data.files.server.ts'

/** A consultation's results with the meaning of each column. */
export const Route = createFileRoute('/open-data/$project/{$survey}.json')({ server: { handlers: { GET: serveResultsJson } } })
