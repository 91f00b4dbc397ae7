import { createFileRoute } from '@tanstack/react-router'
import { buildAccountHead } from '#app/features/accounts/account-head.ts'
import { readMailedAddress } from '#app/features/accounts/accounts.functions.ts'
import { FollowPage } from '#app/features/follows/FollowPages.tsx'
import { followByAddressForm } from '#app/features/follows/follows.forms.server.ts'
import { readFollowing } from '#app/features/follows/follows.functions.ts'
import { readFollowSearch } from '#app/features/follows/follows.schema.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** Following a project by email address: asking for the address, and the target of the emailed link. */
export const Route = createFileRoute('/_site/follow')({
  staticData: { namespaces: ['account', 'errors'] },
  validateSearch: readFollowSearch,
  loaderDeps: ({ search: { project, token } }) => ({ project, token }),
  loader: async ({ deps }) => {
    const [found, form, mailed] = await Promise.all([readFollowing({ data: deps }), readFormState(), readMailedAddress()])
    return { ...found, form, mailed }
  },
  head: ({ loaderData, match: { context } }) => buildAccountHead(context, 'follow', loaderData?.form),
  server: { handlers: { POST: followByAddressForm } },
  component: Page,
})

function Page() {
  return <FollowPage {...Route.useLoaderData()} isSent={Route.useSearch().sent === 'mail'} />
}
