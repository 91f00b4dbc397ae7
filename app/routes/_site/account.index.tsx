import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { accountForm } from '#app/features/accounts/accounts.forms.server.ts'
import { readAccount } from '#app/features/accounts/accounts.functions.ts'
import { readAccountSearch } from '#app/features/accounts/accounts.search.ts'
import { AccountPage } from '#app/features/accounts/AccountPage.tsx'
import { readHomeArea } from '#app/features/areas/home-area.functions.ts'
import { readPhone } from '#app/features/sms/phone.functions.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/')({
  validateSearch: readAccountSearch,
  loader: async () => {
    const [account, phone, home, form] = await Promise.all([readAccount(), readPhone(), readHomeArea(), readFormState()])
    return { account, phone, home, form }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'account', loaderData?.form),
  server: { handlers: { POST: accountForm } },
  component: Page,
})

function Page() {
  return <AccountPage {...Route.useLoaderData()} {...Route.useSearch()} />
}
