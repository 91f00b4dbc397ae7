import { createFileRoute } from '@tanstack/react-router'
import { addressIn, frameOf, pageHead } from '#app/features/sites/seo.ts'
import { article } from '#app/features/sites/structured-data.ts'
import { readUpdate } from '#app/features/updates/updates.functions.ts'
import { UpdatePage } from '#app/features/updates/UpdatePage.tsx'
import { excerpt } from '#app/lib/rich-text.ts'

export const Route = createFileRoute('/_site/projects/$slug/updates/$update')({
  loader: ({ params }) => readUpdate({ data: { project: params.slug, update: params.update } }),
  head: ({ matches, match, loaderData: update }) => {
    const frame = frameOf({ matches })
    if (!update || !frame) return {}
    const path = `/projects/${update.project.slug}/updates/${update.slug}`
    const card = `project/${update.project.slug}`
    return pageHead(
      { matches, match },
      {
        title: update.title.text,
        description: excerpt(update.body.text, 200),
        path,
        card,
        type: 'article',
        publishedAt: update.publishedAt,
        jsonLd: [
          article(frame, {
            headline: update.title.text,
            url: addressIn(frame, path, frame.language),
            publishedAt: update.publishedAt,
            image: addressIn(frame, `/og/${card}.png`, frame.language),
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
