import { createFileRoute } from '@tanstack/react-router'
import { serveSheets } from '#app/features/budgets/paper/print-sheets.server.ts'

/** The sheets of a batch of paper ballots, in a language of the site. */
export const Route = createFileRoute('/admin/projects/$id_/budgets/$round_/paper/$batch/{$language}.pdf')({
  server: { handlers: { GET: serveSheets } },
})
