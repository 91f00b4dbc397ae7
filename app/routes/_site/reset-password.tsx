import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { resetPasswordForm } from '#app/features/accounts/accounts.forms.server.ts'
import { readPasswordReset } from '#app/features/accounts/accounts.functions.ts'
import { readLinkSearch } from '#app/features/accounts/accounts.search.ts'
import { ResetPasswordPage } from '#app/features/accounts/MailPages.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** Target of the link in the mail for choosing a new password. */
export const Route = createFileRoute('/_site/reset-password')({
  staticData: { namespaces: ['account', 'errors'] },
  validateSearch: readLinkSearch,
  loaderDeps: ({ search: { token = '' } }) => ({ token }),
  loader: async ({ deps: { token } }) => {
    const [found, form] = await Promise.all([readPasswordReset({ data: { token } }), readFormState()])
    return { found, form, token }
  },
  head: ({ loaderData, match: { context } }) =>
    buildAccountHead(context, loaderData?.found?.invited ? 'welcome' : 'reset', loaderData?.form),
  server: { handlers: { POST: resetPasswordForm } },
  component: Page,
})

function Page() {
  return <ResetPasswordPage {...Route.useLoaderData()} />
}
