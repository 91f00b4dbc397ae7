import { createFileRoute } from '@tanstack/react-router'
import { buildPageUrl, findSiteFrame, buildPageHead } from '#app/features/sites/seo.ts'
import { buildArticle } from '#app/features/sites/structured-data.ts'
import { readUpdate } from '#app/features/updates/updates.functions.ts'
import { UpdatePage } from '#app/features/updates/UpdatePage.tsx'

export const Route = createFileRoute('/_site/projects/$slug/updates/$update')({
  loader: ({ params }) => readUpdate({ data: { project: params.slug, update: params.update } }),
  head: ({ matches, match, loaderData: update }) => {
    const frame = findSiteFrame({ matches })
    if (!update || !frame) return {}
    const path = `/projects/${update.project.slug}/updates/${update.slug}`
    const card = `project/${update.project.slug}`
    return buildPageHead(
      { matches, match },
      {
        title: update.title.text,
        description: update.description,
        path,
        card,
        type: 'article',
        publishedAt: update.publishedAt,
        jsonLd: [
          buildArticle(frame, {
            headline: update.title.text,
            url: buildPageUrl(frame, path, frame.language),
            publishedAt: update.publishedAt,
            image: buildPageUrl(frame, `/og/${card}.png`, frame.language),
          }),
        ],
      },
    )
  },
  component: Update,
})

function Update() {
  return <UpdatePage update={Route.useLoaderData()} />
}
