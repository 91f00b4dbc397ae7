import { createFileRoute } from '@tanstack/react-router'
import { HubPage } from '#app/features/hubs/HubPage.tsx'
import { readHub } from '#app/features/hubs/hubs.functions.ts'
import { ProjectTile } from '#app/features/projects/ProjectTile.tsx'
import { addressIn, frameOf, headTexts, pageHead } from '#app/features/sites/seo.ts'
import { breadcrumbs } from '#app/features/sites/structured-data.ts'

export const Route = createFileRoute('/_site/hubs/$slug')({
  loader: ({ params }) => readHub({ data: params }),
  head: ({ matches, match, loaderData }) => {
    const frame = frameOf({ matches })
    if (!loaderData || !frame) return {}
    const t = headTexts({ match })
    const { hub } = loaderData
    const path = `/hubs/${hub.slug}`
    const step = (name: string, to: string) => ({ name, url: addressIn(frame, to, frame.language) })
    return pageHead(
      { matches, match },
      {
        title: hub.title.text,
        description: hub.summary.text,
        path,
        card: `hub/${hub.slug}`,
        jsonLd: [breadcrumbs([step(t('site.home'), '/'), step(t('hubs.title'), '/hubs'), step(hub.title.text, path)])],
      },
    )
  },
  component: Hub,
})

function Hub() {
  const { hub, projects, now } = Route.useLoaderData()
  return (
    <HubPage
      hub={hub}
      cards={projects.map((project) => (
        <ProjectTile key={project.id} project={project} now={now} />
      ))}
    />
  )
}
