import { createFileRoute } from '@tanstack/react-router'
import { Outbox } from '#app/features/accounts/admin/Outbox.tsx'
import { outboxQuery } from '#app/features/accounts/outbox.queries.ts'

export const Route = createFileRoute('/admin/outbox/')({
  validateSearch: (given: Record<string, unknown>): { page?: number } =>
    typeof given['page'] === 'number' && Number.isInteger(given['page']) && given['page'] > 1 ? { page: given['page'] } : {},
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(outboxQuery(deps.page ?? 1)),
  component: OutboxPage,
})

function OutboxPage() {
  const { page = 1 } = Route.useSearch()
  return <Outbox page={page} />
}
