import { createFileRoute } from '@tanstack/react-router'
import { serveResultsJson } from '#app/features/opencities/open-data.files.server.ts'

/** Results of a consultation with what each column means. */
export const Route = createFileRoute('/open-data/$project/{$survey}.json')({ server: { handlers: { GET: serveResultsJson } } })
