import { createFileRoute } from '@tanstack/react-router'
import { ActivityPage } from '#app/features/contributions/activities/ActivityPage.tsx'
import { readContributions } from '#app/features/contributions/contributions.functions.ts'
import { readContributionSearch } from '#app/features/contributions/contributions.schema.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'

/** What people contributed to an activity of a project. */
export const Route = createFileRoute('/_site/projects/$slug/$activity/')({
  staticData: { namespaces: ['contributions'] },
  validateSearch: readContributionSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { slug, activity }, deps }) => readContributions({ data: { project: slug, activity, search: deps } }),
  head: ({ matches, match, loaderData }) => (loaderData ? buildPageHead({ matches, match }, loaderData.head) : {}),
  component: Page,
})

function Page() {
  const { list, now } = Route.useLoaderData()
  return <ActivityPage list={list} now={now} />
}
