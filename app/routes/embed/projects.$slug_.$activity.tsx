import { createFileRoute } from '@tanstack/react-router'
import { EmbeddedActivity } from '#app/features/contributions/pages/EmbeddedActivity.tsx'
import { readContributions } from '#app/features/contributions/contributions.functions.ts'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'

/** The newest contributions of an activity, embedded in another site. */
export const Route = createFileRoute('/embed/projects/$slug_/$activity')({
  staticData: { namespaces: ['contributions'] },
  validateSearch: ({ lng }: Record<string, unknown>) => omitUndefined({ lng: readTextParam(lng, 10) }),
  loader: ({ params: { slug, activity } }) => readContributions({ data: { project: slug, activity, search: {} } }),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.list.activity.title.text }] }),
  component: Activity,
})

function Activity() {
  const { list, now } = Route.useLoaderData()
  return <EmbeddedActivity list={list} now={now} />
}
