import { createFileRoute } from '@tanstack/react-router'
import { accountHead } from '#app/features/accounts/account-head.ts'
import { confirmEmailForm } from '#app/features/accounts/accounts.forms.server.ts'
import { readConfirmation } from '#app/features/accounts/accounts.functions.ts'
import { linkSearch } from '#app/features/accounts/accounts.search.ts'
import { ConfirmEmailPage } from '#app/features/accounts/MailPages.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** Where the mail leads that confirms an address. */
export const Route = createFileRoute('/_site/confirm-email')({
  staticData: { namespaces: ['account', 'errors'] },
  validateSearch: linkSearch,
  loaderDeps: ({ search: { token = '' } }) => ({ token }),
  loader: async ({ deps: { token } }) => {
    const [found, form] = await Promise.all([readConfirmation({ data: { token } }), readFormState()])
    return { found, form, token }
  },
  head: ({ loaderData, match: { context } }) => accountHead(context, 'confirm', loaderData?.form),
  server: { handlers: { POST: confirmEmailForm } },
  component: Page,
})

function Page() {
  return <ConfirmEmailPage {...Route.useLoaderData()} />
}
