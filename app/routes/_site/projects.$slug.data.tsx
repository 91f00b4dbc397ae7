import { createFileRoute } from '@tanstack/react-router'
import { ProjectData } from '#app/features/opencities/ProjectData.tsx'
import { readProjectFigures } from '#app/features/opencities/reading.functions.ts'
import { prepareDrawings } from '#app/ui/data-figure.tsx'
import { buildPageHead } from '#app/features/sites/seo.ts'

export const Route = createFileRoute('/_site/projects/$slug/data')({
  staticData: { namespaces: ['city-data'] },
  loader: async ({ params }) => {
    const found = await readProjectFigures({ data: { project: params.slug } })
    await prepareDrawings(found.figures)
    return found
  },
  head: ({ matches, match, loaderData, params }) =>
    loaderData
      ? buildPageHead(
          { matches, match },
          {
            title: match.context.i18n.t('city-data:project.of', { project: loaderData.title.text }),
            description: loaderData.figures.map(({ title }) => title.text).join(', '),
            path: `/projects/${params.slug}/data`,
            hidden: loaderData.figures.length === 0,
          },
        )
      : {},
  component: Page,
})

function Page() {
  const { title, figures } = Route.useLoaderData()
  return <ProjectData project={Route.useParams().slug} title={title} figures={figures} />
}
