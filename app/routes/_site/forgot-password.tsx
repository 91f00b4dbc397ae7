import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { forgotPasswordForm } from '#app/features/accounts/accounts.forms.server.ts'
import { ForgotPasswordPage } from '#app/features/accounts/MailPages.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/forgot-password')({
  staticData: { namespaces: ['account', 'errors'] },
  loader: async () => ({ form: await readFormState() }),
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'forgot', loaderData?.form),
  server: { handlers: { POST: forgotPasswordForm } },
  component: Page,
})

function Page() {
  return <ForgotPasswordPage {...Route.useLoaderData()} />
}
