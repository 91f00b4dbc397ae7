import { createFileRoute } from '@tanstack/react-router'
import { ProjectListPage } from '#app/features/projects/ProjectListPage.tsx'
import { readProjects } from '#app/features/projects/projects.functions.ts'
import { readProjectSearch } from '#app/features/projects/projects.schema.ts'
import { getHeadTexts, buildPageHead } from '#app/features/sites/seo.ts'
import { stringifySearchParams } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/_site/projects/')({
  validateSearch: readProjectSearch,
  loaderDeps: ({ search }) => readProjectSearch({ ...search }),
  loader: ({ deps }) => readProjects({ data: deps }),
  head: ({ matches, match, loaderData }) => {
    const t = getHeadTexts({ match })
    const { status, topic, hub, area, page } = loaderData?.search ?? {}
    const isSearch = Boolean(loaderData?.search.q) || loaderData?.total === 0
    return buildPageHead(
      { matches, match },
      {
        title: t('projects.title'),
        description: t('projects.lead'),
        path: `/projects${stringifySearchParams({ status, topic, hub, area, page: page === 1 ? undefined : page })}`,
        hidden: isSearch,
      },
    )
  },
  component: Projects,
})

function Projects() {
  return <ProjectListPage list={Route.useLoaderData()} />
}
