import { createFileRoute } from '@tanstack/react-router'
import { buildIdentityHead } from '#app/features/identity/identity-head.ts'
import { identitiesForm } from '#app/features/identity/identity.forms.server.ts'
import { readSignInMethods } from '#app/features/identity/identity.functions.ts'
import { readMethodsSearch } from '#app/features/identity/identity.search.ts'
import { SignInMethodsPage } from '#app/features/identity/SignInMethodsPage.tsx'

export const Route = createFileRoute('/_site/account/sign-in-methods')({
  staticData: { namespaces: ['identity'] },
  validateSearch: readMethodsSearch,
  loader: () => readSignInMethods(),
  head: ({ match: { context } }) => buildIdentityHead(context, 'methods'),
  server: { handlers: { POST: identitiesForm } },
  component: Page,
})

function Page() {
  return <SignInMethodsPage {...Route.useLoaderData()} {...Route.useSearch()} />
}
