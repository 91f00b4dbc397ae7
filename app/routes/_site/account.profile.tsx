import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { profileForm } from '#app/features/accounts/accounts.forms.server.ts'
import { readAccount } from '#app/features/accounts/accounts.functions.ts'
import { ProfilePage } from '#app/features/accounts/AccountForms.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/profile')({
  loader: async () => {
    const [account, form] = await Promise.all([readAccount(), readFormState()])
    return { account, form }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'profile', loaderData?.form),
  server: { handlers: { POST: profileForm } },
  component: Page,
})

function Page() {
  return <ProfilePage {...Route.useLoaderData()} />
}
