import { createFileRoute, redirect } from '@tanstack/react-router'
import { readNextSearch } from '#app/features/accounts/accounts.search.ts'
import { buildIdentityHead } from '#app/features/identity/identity-head.ts'
import { readSignInOptions } from '#app/features/identity/identity.functions.ts'
import { StaffSignInPage } from '#app/features/identity/SignInOutcomes.tsx'

export const Route = createFileRoute('/_site/sign-in_/staff')({
  staticData: { namespaces: ['identity'] },
  validateSearch: readNextSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    const options = await readSignInOptions({ data: { audience: 'staff' } })
    // Without a provider for them, the staff sign in as everyone does.
    if (options.providers.length === 0) throw redirect({ to: '/sign-in', search: deps, statusCode: 303 })
    return options
  },
  head: ({ match: { context } }) => buildIdentityHead(context, 'staff'),
  component: Page,
})

function Page() {
  return <StaffSignInPage options={Route.useLoaderData()} next={Route.useSearch().next} />
}
