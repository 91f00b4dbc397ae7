import { createFileRoute } from '@tanstack/react-router'
import { prepareBlocks } from '#app/features/homepage/block-views.tsx'
import { HomePage } from '#app/features/homepage/HomePage.tsx'
import { readHubHomepage } from '#app/features/homepage/homepage.functions.ts'
import { HubPage } from '#app/features/hubs/HubPage.tsx'
import { readHub } from '#app/features/hubs/hubs.functions.ts'
import { HubTile } from '#app/features/hubs/HubTile.tsx'
import { ProjectTile } from '#app/features/projects/ProjectTile.tsx'
import { buildPageUrl, findSiteFrame, getHeadTexts, buildPageHead } from '#app/features/sites/seo.ts'
import { buildBreadcrumbs } from '#app/features/sites/structured-data.ts'

export const Route = createFileRoute('/_site/hubs/$slug')({
  loader: async ({ params }) => {
    // Sequential: at an old address the first call redirects to the hub's new one, and the second would answer 404.
    const standard = await readHub({ data: params })
    const own = await readHubHomepage({ data: params })
    if (own) await prepareBlocks(own.blocks)
    return { ...standard, own }
  },
  head: ({ matches, match, loaderData }) => {
    const frame = findSiteFrame({ matches })
    if (!loaderData || !frame) return {}
    const t = getHeadTexts({ match })
    const { hub } = loaderData
    const path = `/hubs/${hub.slug}`
    const toStep = (name: string, to: string) => ({ name, url: buildPageUrl(frame, to, frame.language) })
    return buildPageHead(
      { matches, match },
      {
        title: hub.title.text,
        description: hub.summary.text,
        path,
        card: `hub/${hub.slug}`,
        jsonLd: [buildBreadcrumbs([toStep(t('site.home'), '/'), toStep(t('hubs.title'), '/hubs'), toStep(hub.title.text, path)])],
      },
    )
  },
  component: Hub,
})

function Hub() {
  const { hub, projects, now, own } = Route.useLoaderData()
  if (own) {
    return (
      <HomePage
        blocks={own.blocks}
        site={{ name: hub.title.text, tagline: hub.summary }}
        renderProject={(project, size) => <ProjectTile project={project} now={now} size={size} level={size === 'lead' ? 2 : 3} />}
        renderHub={(other) => <HubTile hub={other} />}
      />
    )
  }
  return (
    <HubPage
      hub={hub}
      cards={projects.map((project) => (
        <ProjectTile key={project.id} project={project} now={now} />
      ))}
    />
  )
}
