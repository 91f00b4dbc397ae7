import { createFileRoute } from '@tanstack/react-router'
import { FreePage } from '#app/features/pages/FreePage.tsx'
import { readPage } from '#app/features/pages/pages.functions.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'

export const Route = createFileRoute('/_site/pages/$slug')({
  loader: ({ params }) => readPage({ data: params }),
  head: ({ matches, match, loaderData: page }) =>
    page
      ? buildPageHead(
          { matches, match },
          { title: page.title.text, description: page.description, path: `/pages/${page.slug}`, card: `page/${page.slug}` },
        )
      : {},
  component: Page,
})

function Page() {
  return <FreePage page={Route.useLoaderData()} />
}
