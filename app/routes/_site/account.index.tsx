import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { accountForm } from '#app/features/people/people.forms.server.ts'
import { readAccount } from '#app/features/accounts/accounts.functions.ts'
import { readAccountSearch } from '#app/features/accounts/accounts.search.ts'
import { AccountPage } from '#app/features/accounts/AccountPage.tsx'
import { readHomeArea } from '#app/features/areas/home-area.functions.ts'
import { readOwnNotifications } from '#app/features/notifications/notifications.functions.ts'
import { OwnNotifications } from '#app/features/notifications/OwnNotifications.tsx'
import { isAskedAboutSelf } from '#app/features/profile/profile.functions.ts'
import { readPhone } from '#app/features/sms/phone.functions.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/')({
  validateSearch: readAccountSearch,
  loader: async () => {
    const [account, phone, home, isAsked, notifications, form] = await Promise.all([
      readAccount(),
      readPhone(),
      readHomeArea(),
      isAskedAboutSelf(),
      readOwnNotifications(),
      readFormState(),
    ])
    return { account, phone, home, isAskedAboutSelf: isAsked, notifications, form }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'account', loaderData?.form),
  server: { handlers: { POST: accountForm } },
  component: Page,
})

function Page() {
  const { notifications, ...account } = Route.useLoaderData()
  return <AccountPage {...account} {...Route.useSearch()} notifications={<OwnNotifications {...notifications} />} />
}
