import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { firstAdminForm } from '#app/features/people/people.forms.server.ts'
import { readSetup } from '#app/features/people/first-admin.functions.ts'
import { readLinkSearch } from '#app/features/accounts/accounts.search.ts'
import { FirstAdminPage } from '#app/features/accounts/FirstAdminPage.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** Target of the link that the command line prints while there is no platform administrator. It belongs to no site, so no site's chrome is around it. */
export const Route = createFileRoute('/first-admin')({
  staticData: { namespaces: ['account', 'errors', 'participant'] },
  validateSearch: readLinkSearch,
  loaderDeps: ({ search: { token = '' } }) => ({ token }),
  loader: async ({ deps: { token } }) => {
    const [setup, form] = await Promise.all([readSetup({ data: { token } }), readFormState()])
    return { setup, form, token }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'first-admin', loaderData?.form),
  server: { handlers: { POST: firstAdminForm } },
  component: Page,
})

function Page() {
  return <FirstAdminPage {...Route.useLoaderData()} />
}
