import { createFileRoute } from '@tanstack/react-router'
import { serveLedger } from '#app/features/budgets/result-files.server.ts'

/** The ledger of a round's ballots. */
export const Route = createFileRoute('/projects/$slug/budgets/$round/ledger.jsonl')({
  server: { handlers: { GET: serveLedger } },
})
