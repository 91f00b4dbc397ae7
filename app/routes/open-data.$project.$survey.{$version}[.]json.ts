import { createFileRoute } from '@tanstack/react-router'
import { serveResultsJson } from '#app/features/opencities/open-data.files.server.ts'

/** One version of the results of a consultation, which stays where it is. */
export const Route = createFileRoute('/open-data/$project/$survey/{$version}.json')({ server: { handlers: { GET: serveResultsJson } } })
