import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { readNextSearch } from '#app/features/accounts/accounts.search.ts'
import { ConfirmIdentityPage } from '#app/features/accounts/second-step/ConfirmIdentityPage.tsx'
import { confirmIdentityForm } from '#app/features/accounts/second-step/second-step.forms.server.ts'
import { readConfirmation } from '#app/features/accounts/second-step/second-step.functions.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/confirm')({
  validateSearch: readNextSearch,
  loader: async () => {
    const [confirmation, form] = await Promise.all([readConfirmation(), readFormState()])
    return { ...confirmation, form }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'confirm-identity', loaderData?.form),
  server: { handlers: { POST: confirmIdentityForm } },
  component: Page,
})

function Page() {
  return <ConfirmIdentityPage {...Route.useLoaderData()} />
}
