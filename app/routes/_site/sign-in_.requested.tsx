import { createFileRoute } from '@tanstack/react-router'
import { buildIdentityHead } from '#app/features/identity/identity-head.ts'
import { readRequestedSearch } from '#app/features/identity/identity.search.ts'
import { SignInRequestedPage } from '#app/features/identity/SignInOutcomes.tsx'

export const Route = createFileRoute('/_site/sign-in_/requested')({
  staticData: { namespaces: ['identity'] },
  validateSearch: readRequestedSearch,
  head: ({ match: { context } }) => buildIdentityHead(context, 'requested'),
  component: Page,
})

function Page() {
  return <SignInRequestedPage {...Route.useSearch()} />
}
