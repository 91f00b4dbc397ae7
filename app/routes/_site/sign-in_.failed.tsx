import { createFileRoute } from '@tanstack/react-router'
import { buildIdentityHead } from '#app/features/identity/identity-head.ts'
import { markFailure } from '#app/features/identity/identity.functions.ts'
import { readFailureSearch } from '#app/features/identity/identity.search.ts'
import { SignInFailedPage } from '#app/features/identity/SignInOutcomes.tsx'

export const Route = createFileRoute('/_site/sign-in_/failed')({
  staticData: { namespaces: ['identity'] },
  validateSearch: readFailureSearch,
  loaderDeps: ({ search: { fault } }) => ({ fault }),
  loader: ({ deps: { fault } }) => markFailure({ data: { fault: fault ?? 'started-elsewhere' } }),
  head: ({ match: { context } }) => buildIdentityHead(context, 'failed'),
  component: Page,
})

function Page() {
  return <SignInFailedPage fault={Route.useLoaderData()} reference={Route.useSearch().reference} />
}
