import { createFileRoute } from '@tanstack/react-router'
import { Outbox } from '#app/features/accounts/admin/Outbox.tsx'
import { outboxQuery } from '#app/features/accounts/outbox.queries.ts'
import { readPage } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/outbox/')({
  validateSearch: readPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(outboxQuery(deps.page ?? 1)),
  component: OutboxPage,
})

function OutboxPage() {
  const { page = 1 } = Route.useSearch()
  return <Outbox page={page} />
}
