import { createFileRoute } from '@tanstack/react-router'
import { TextsTabs } from '#app/features/campaigns/texts/admin/TextsTabs.tsx'
import { Messages } from '#app/features/sms/admin/Messages.tsx'
import { messagesQuery } from '#app/features/sms/sms.queries.ts'
import { readPage } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/campaigns/messages')({
  validateSearch: readPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(messagesQuery(deps.page ?? 1)),
  component: MessagesPage,
})

function MessagesPage() {
  const { page = 1 } = Route.useSearch()
  return <Messages page={page} tabs={<TextsTabs />} />
}
