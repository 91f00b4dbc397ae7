import { createFileRoute } from '@tanstack/react-router'
import { readNextSearch } from '#app/features/accounts/accounts.search.ts'
import { buildIdentityHead } from '#app/features/identity/identity-head.ts'
import { readSignInOptions } from '#app/features/identity/identity.functions.ts'
import { StaffSignInPage } from '#app/features/identity/SignInOutcomes.tsx'

export const Route = createFileRoute('/_site/sign-in_/staff')({
  staticData: { namespaces: ['identity'] },
  validateSearch: readNextSearch,
  loader: () => readSignInOptions({ data: { audience: 'staff' } }),
  head: ({ match: { context } }) => buildIdentityHead(context, 'staff'),
  component: Page,
})

function Page() {
  return <StaffSignInPage options={Route.useLoaderData()} next={Route.useSearch().next} />
}
