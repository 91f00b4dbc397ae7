import { createFileRoute } from '@tanstack/react-router'
import { serveResultsJson } from '#app/features/budgets/result-files.server.ts'

/** The certified result of a budget with every step of its count. */
export const Route = createFileRoute('/projects/$slug/budgets/$round/results.json')({
  server: { handlers: { GET: serveResultsJson } },
})
