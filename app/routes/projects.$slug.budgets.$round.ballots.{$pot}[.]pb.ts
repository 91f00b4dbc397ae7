import { createFileRoute } from '@tanstack/react-router'
import { servePbFile } from '#app/features/budgets/result-files.server.ts'

/** The ballots and the result of one pot, as the Pabulib library has them. */
export const Route = createFileRoute('/projects/$slug/budgets/$round/ballots/{$pot}.pb')({
  server: { handlers: { GET: servePbFile } },
})
