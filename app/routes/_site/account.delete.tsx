import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { deleteAccountForm } from '#app/features/people/people.forms.server.ts'
import { DeleteAccountPage } from '#app/features/accounts/AccountForms.tsx'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/delete')({
  loader: async () => ({ form: await readFormState() }),
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'delete', loaderData?.form),
  server: { handlers: { POST: deleteAccountForm } },
  component: Page,
})

function Page() {
  return <DeleteAccountPage {...Route.useLoaderData()} />
}
