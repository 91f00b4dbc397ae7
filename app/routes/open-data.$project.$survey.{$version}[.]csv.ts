import { createFileRoute } from '@tanstack/react-router'
import { serveResultsCsv } from '#app/features/opencities/open-data.files.server.ts'

/** One version of a consultation's results, at a permanent address. */
export const Route = createFileRoute('/open-data/$project/$survey/{$version}.csv')({ server: { handlers: { GET: serveResultsCsv } } })
