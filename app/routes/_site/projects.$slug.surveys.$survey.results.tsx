import { createFileRoute } from '@tanstack/react-router'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { ResultsPage } from '#app/features/surveys/results/ResultsPage.tsx'
import { readPublicResults } from '#app/features/surveys/answering/answering.functions.ts'

/** A survey's results, if it publishes them. */
export const Route = createFileRoute('/_site/projects/$slug/surveys/$survey/results')({
  staticData: { namespaces: ['survey'] },
  loader: ({ params: { slug, survey } }) => readPublicResults({ data: { project: slug, survey } }),
  head: ({ matches, match, loaderData }) => {
    if (!loaderData) return {}
    const { survey } = loaderData
    return buildPageHead(
      { matches, match },
      {
        title: match.context.i18n.t('survey:results.head-title', { survey: survey.title.text }),
        description: survey.description,
        path: `/projects/${survey.project.slug}/surveys/${survey.slug}/results`,
        card: `project/${survey.project.slug}`,
        hidden: !survey.listed || !survey.resultsPublic,
      },
    )
  },
  component: Page,
})

function Page() {
  return <ResultsPage {...Route.useLoaderData()} />
}
