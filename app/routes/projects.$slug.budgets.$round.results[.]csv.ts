import { createFileRoute } from '@tanstack/react-router'
import { serveResultsCsv } from '#app/features/budgets/result-files.server.ts'

/** The certified result of a budget as a table. */
export const Route = createFileRoute('/projects/$slug/budgets/$round/results.csv')({
  server: { handlers: { GET: serveResultsCsv } },
})
