import { createFileRoute, notFound } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { readAccountSearch } from '#app/features/accounts/accounts.search.ts'
import { FollowsPage } from '#app/features/accounts/FollowsPage.tsx'
import { followsForm } from '#app/features/follows/follows.forms.server.ts'
import { readFollows } from '#app/features/follows/follows.functions.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

export const Route = createFileRoute('/_site/account/follows')({
  validateSearch: readAccountSearch,
  loader: async () => {
    const [follows, form] = await Promise.all([readFollows(), readFormState()])
    if (!follows) throw notFound()
    return { follows, form }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'follows', loaderData?.form),
  server: { handlers: { POST: followsForm } },
  component: Page,
})

function Page() {
  return <FollowsPage {...Route.useLoaderData()} {...Route.useSearch()} />
}
