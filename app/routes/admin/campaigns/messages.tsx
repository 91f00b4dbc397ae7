import { createFileRoute } from '@tanstack/react-router'
import { SmsTabs } from '#app/features/campaigns/sms-campaigns/admin/SmsTabs.tsx'
import { Messages } from '#app/features/sms/admin/Messages.tsx'
import { messagesQuery } from '#app/features/sms/sms.queries.ts'
import { readChoiceParam, omitUndefined, readPage } from '#app/lib/search-params.ts'
import { SMS_DIRECTIONS, type SmsDirection } from '#app/lib/vocabulary/sms.ts'

export const Route = createFileRoute('/admin/campaigns/messages')({
  validateSearch: (search): { page?: number; way?: SmsDirection } => ({
    ...readPage(search),
    ...omitUndefined({ way: readChoiceParam(search['way'], SMS_DIRECTIONS) }),
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(messagesQuery(deps.page ?? 1, deps.way)),
  component: MessagesPage,
})

function MessagesPage() {
  const { page = 1, way } = Route.useSearch()
  return <Messages page={page} way={way} tabs={<SmsTabs />} />
}
