import { createFileRoute } from '@tanstack/react-router'
import { DecisionsPage } from '#app/features/heard/DecisionsPage.tsx'
import { readDecisions } from '#app/features/heard/heard.functions.ts'
import { readDecisionSearch } from '#app/features/heard/decision-search.schema.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'

export const Route = createFileRoute('/_site/projects/$slug/decisions')({
  staticData: { namespaces: ['heard'] },
  validateSearch: readDecisionSearch,
  loaderDeps: ({ search }) => readDecisionSearch({ ...search }),
  loader: ({ params, deps }) => readDecisions({ data: { slug: params.slug, search: deps } }),
  head: ({ matches, match, loaderData: page }) => {
    if (!page) return {}
    const { i18n } = match.context
    const { project } = page
    return buildPageHead(
      { matches, match },
      {
        title: i18n.t('heard:head-title', { project: project.title.text }),
        description: i18n.t('heard:lead'),
        path: `/projects/${project.slug}/decisions`,
        card: `project/${project.slug}`,
      },
    )
  },
  component: Decisions,
})

function Decisions() {
  return <DecisionsPage page={Route.useLoaderData()} />
}
