import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { confirmEmailForm } from '#app/features/accounts/accounts.forms.server.ts'
import { readConfirmation } from '#app/features/accounts/accounts.functions.ts'
import { readLinkSearch } from '#app/features/accounts/accounts.search.ts'
import { ConfirmEmailPage } from '#app/features/accounts/MailPages.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** Target of the link in the mail that confirms an email address. */
export const Route = createFileRoute('/_site/confirm-email')({
  staticData: { namespaces: ['account', 'errors'] },
  validateSearch: readLinkSearch,
  loaderDeps: ({ search: { token = '' } }) => ({ token }),
  loader: async ({ deps: { token } }) => {
    const [found, form] = await Promise.all([readConfirmation({ data: { token } }), readFormState()])
    return { found, form, token }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'confirm', loaderData?.form),
  server: { handlers: { POST: confirmEmailForm } },
  component: Page,
})

function Page() {
  return <ConfirmEmailPage {...Route.useLoaderData()} />
}
