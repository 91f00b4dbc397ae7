import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { readMailedAddress } from '#app/features/accounts/accounts.functions.ts'
import { readCheckMailSearch } from '#app/features/accounts/accounts.search.ts'
import { CheckMailPage } from '#app/features/accounts/MailPages.tsx'

export const Route = createFileRoute('/_site/check-mail')({
  staticData: { namespaces: ['account', 'errors'] },
  validateSearch: readCheckMailSearch,
  loader: () => readMailedAddress(),
  head: ({ match: { context } }) => buildAccountHead(context, 'check-mail'),
  component: Page,
})

function Page() {
  return <CheckMailPage after={Route.useSearch().for ?? 'forgot'} email={Route.useLoaderData()} />
}
