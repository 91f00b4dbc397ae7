import { createFileRoute } from '@tanstack/react-router'
import { ownForm } from '#app/features/contributions/contributions.forms.server.ts'
import { readOwnContribution } from '#app/features/contributions/contributions.functions.ts'
import { OwnContributionPage } from '#app/features/contributions/OwnContributionPage.tsx'
import { buildContributionHead } from '#app/features/contributions/contribution-head.ts'
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
  head: ({ matches, match, loaderData }) => {
    if (!loaderData) return {}
    const { activity, own, form } = loaderData
    const title = match.context.i18n.t(own ? `contributions:kinds.${activity.kind}.sent` : 'contributions:receipt.find')
    return buildContributionHead({ matches, match }, { activity, title, path: '/receipt', form })
  },
  server: { handlers: { POST: ownForm } },
  component: Page,
})

function Page() {
  return <OwnContributionPage {...Route.useLoaderData()} />
}
