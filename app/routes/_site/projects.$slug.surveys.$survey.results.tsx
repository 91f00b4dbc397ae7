import { createFileRoute } from '@tanstack/react-router'
import { ResultsPage } from '#app/features/surveys/ResultsPage.tsx'
import { readPublicResults } from '#app/features/surveys/surveys.functions.ts'
import { siteName } from '#app/shell/page-state.tsx'

/** What people said, where a survey publishes it. */
export const Route = createFileRoute('/_site/projects/$slug/surveys/$survey/results')({
  staticData: { namespaces: ['survey'] },
  loader: ({ params: { slug, survey } }) => readPublicResults({ data: { project: slug, survey } }),
  head: ({ loaderData, match: { context } }) => {
    const title = context.i18n.t('survey:results.head-title', { survey: loaderData?.survey.title.text ?? '' })
    return { meta: [{ title: `${title} · ${siteName(context.queryClient)}` }] }
  },
  component: Page,
})

function Page() {
  return <ResultsPage {...Route.useLoaderData()} />
}
