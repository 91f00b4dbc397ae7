import { createFileRoute } from '@tanstack/react-router'
import { serveActivityLedger } from '#app/features/contributions/pages/ledger-page.server.ts'

/** The ledger of what was sent to an activity. */
export const Route = createFileRoute('/projects/$slug/$activity/ledger.jsonl')({
  server: { handlers: { GET: serveActivityLedger } },
})
