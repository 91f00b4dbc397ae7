import { createFileRoute } from '@tanstack/react-router'
import { ActivityPage } from '#app/features/contributions/ActivityPage.tsx'
import { readContributions } from '#app/features/contributions/contributions.functions.ts'
import { readContributionSearch } from '#app/features/contributions/contributions.schema.ts'
import { buildContributionHead } from '#app/features/contributions/contribution-head.ts'

/** What people contributed to an activity of a project. */
export const Route = createFileRoute('/_site/projects/$slug/$activity/')({
  staticData: { namespaces: ['contributions'] },
  validateSearch: readContributionSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ params: { slug, activity }, deps }) => ({
    list: await readContributions({ data: { project: slug, activity, search: deps } }),
    now: new Date().toISOString(),
  }),
  head: ({ matches, match, loaderData }) => {
    if (!loaderData) return {}
    const { activity } = loaderData.list
    return buildContributionHead({ matches, match }, { activity, title: activity.title.text, path: '', isPublic: true })
  },
  component: Page,
})

function Page() {
  return <ActivityPage {...Route.useLoaderData()} />
}
