import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { prepareBlocks } from '#app/features/homepage/block-views.tsx'
import { HomePage } from '#app/features/homepage/HomePage.tsx'
import { readHomepage } from '#app/features/homepage/homepage.functions.ts'
import { HubTile } from '#app/features/hubs/HubTile.tsx'
import { ProjectTile } from '#app/features/projects/ProjectTile.tsx'
import { findSiteFrame, getHeadTexts, buildPageHead } from '#app/features/sites/seo.ts'
import { buildWebsite } from '#app/features/sites/structured-data.ts'

export const Route = createFileRoute('/_site/')({
  loader: async () => {
    const page = await readHomepage()
    await prepareBlocks(page.blocks)
    return page
  },
  head: ({ matches, match }) => {
    const frame = findSiteFrame({ matches })
    const t = getHeadTexts({ match })
    return buildPageHead(
      { matches, match },
      {
        title: frame ? `${frame.name} · ${t('site.strapline')}` : t('site.strapline'),
        description: frame?.tagline.text ? `${frame.tagline.text} · ${t('home.text')}` : t('home.text'),
        path: '/',
        jsonLd: frame ? [buildWebsite(frame)] : [],
      },
    )
  },
  component: Home,
})

const site = getRouteApi('/_site')

function Home() {
  const { blocks, now } = Route.useLoaderData()
  return (
    <HomePage
      blocks={blocks}
      site={site.useLoaderData()}
      renderProject={(project, size) => <ProjectTile project={project} now={now} size={size} level={size === 'lead' ? 2 : 3} />}
      renderHub={(hub) => <HubTile hub={hub} />}
    />
  )
}
