import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { changePasswordForm } from '#app/features/accounts/accounts.forms.server.ts'
import { ChangePasswordPage } from '#app/features/accounts/AccountForms.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/password')({
  loader: async () => ({ form: await readFormState() }),
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'password', loaderData?.form),
  server: { handlers: { POST: changePasswordForm } },
  component: Page,
})

function Page() {
  return <ChangePasswordPage {...Route.useLoaderData()} />
}
