import { createFileRoute } from '@tanstack/react-router'
import { serveResultsJson } from '#app/features/opencities/open-data.files.server.ts'

/** One version of a consultation's results, at a permanent address. */
export const Route = createFileRoute('/open-data/$project/$survey/{$version}.json')({ server: { handlers: { GET: serveResultsJson } } })
