import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { readLinkSearch } from '#app/features/accounts/accounts.search.ts'
import { unfollowForm } from '#app/features/follows/follows.forms.server.ts'
import { readFollow } from '#app/features/follows/follows.functions.ts'
import { UnfollowPage } from '#app/features/follows/UnfollowPage.tsx'

/** Target of the unsubscribe link in mails about a followed project. */
export const Route = createFileRoute('/_site/unfollow')({
  staticData: { namespaces: ['account'] },
  validateSearch: readLinkSearch,
  loaderDeps: ({ search: { token = '' } }) => ({ token }),
  loader: async ({ deps: { token } }) => ({ found: await readFollow({ data: { token } }), token }),
  head: ({ match: { context } }) => buildAccountHead(context, 'unfollow'),
  server: { handlers: { POST: unfollowForm } },
  component: Page,
})

function Page() {
  return <UnfollowPage {...Route.useLoaderData()} />
}
