import { createFileRoute } from '@tanstack/react-router'
import { ownForm } from '#app/features/contributions/contributions.forms.server.ts'
import { readOwnContribution } from '#app/features/contributions/contributions.functions.ts'
import { OwnContributionPage } from '#app/features/contributions/pages/OwnContributionPage.tsx'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { readTextParam, omitUndefined } from '#app/lib/search-params.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** An author's contribution and its receipt. */
export const Route = createFileRoute('/_site/projects/$slug/$activity/receipt')({
  staticData: { namespaces: ['contributions', 'errors'] },
  validateSearch: ({ number }: Record<string, unknown>) => omitUndefined({ number: readTextParam(number, 10) }),
  loaderDeps: ({ search }) => search,
  loader: async ({ params: { slug, activity }, deps: { number } }) => {
    const [page, form] = await Promise.all([readOwnContribution({ data: { project: slug, activity, number } }), readFormState()])
    return { ...page, form }
  },
  head: ({ matches, match, loaderData }) => (loaderData ? buildPageHead({ matches, match }, loaderData.head) : {}),
  server: { handlers: { POST: ownForm } },
  component: Page,
})

function Page() {
  const { head: _, ...page } = Route.useLoaderData()
  return <OwnContributionPage {...page} />
}
