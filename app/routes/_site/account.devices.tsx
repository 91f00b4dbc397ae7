import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { devicesForm } from '#app/features/accounts/accounts.forms.server.ts'
import { readSessions } from '#app/features/accounts/accounts.functions.ts'
import { readAccountSearch } from '#app/features/accounts/accounts.search.ts'
import { DevicesPage } from '#app/features/accounts/DevicesPage.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/devices')({
  validateSearch: readAccountSearch,
  loader: async () => {
    const [sessions, form] = await Promise.all([readSessions(), readFormState()])
    return { sessions, form }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'devices', loaderData?.form),
  server: { handlers: { POST: devicesForm } },
  component: Page,
})

function Page() {
  return <DevicesPage {...Route.useLoaderData()} {...Route.useSearch()} />
}
