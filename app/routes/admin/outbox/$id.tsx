import { createFileRoute } from '@tanstack/react-router'
import { OutboxMail } from '#app/features/accounts/admin/Outbox.tsx'
import { outboxMailQuery } from '#app/features/accounts/outbox.queries.ts'

export const Route = createFileRoute('/admin/outbox/$id')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(outboxMailQuery(params.id)),
  component: OneMail,
})

function OneMail() {
  const { id } = Route.useParams()
  return <OutboxMail id={id} />
}
