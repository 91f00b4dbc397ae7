import { createFileRoute, redirect } from '@tanstack/react-router'
import { ActivityPage } from '#app/features/contributions/pages/ActivityPage.tsx'
import { invitationForm } from '#app/features/contributions/contributions.forms.server.ts'
import { readContributions } from '#app/features/contributions/contributions.functions.ts'
import { readContributionSearch } from '#app/features/contributions/record/contributions.schema.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** What people contributed to an activity of a project. */
export const Route = createFileRoute('/_site/projects/$slug/$activity/')({
  staticData: { namespaces: ['contributions', 'errors'] },
  validateSearch: (search: Record<string, unknown>) => ({
    ...readContributionSearch(search),
    ...omitUndefined({ invitation: readTextParam(search['invitation'], 200) }),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ params: { slug, activity }, deps: { invitation, ...search } }) => {
    const [page, form] = await Promise.all([readContributions({ data: { project: slug, activity, search, invitation } }), readFormState()])
    if (invitation) throw redirect({ to: '.', search })
    return { ...page, form }
  },
  head: ({ matches, match, loaderData }) => (loaderData ? buildPageHead({ matches, match }, loaderData.head) : {}),
  server: { handlers: { POST: invitationForm } },
  component: Page,
})

function Page() {
  const { list, now, form } = Route.useLoaderData()
  return <ActivityPage list={list} now={now} form={form} />
}
