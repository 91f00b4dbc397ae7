import { createFileRoute } from '@tanstack/react-router'
import { LayerPage } from '#app/features/contributions/pages/LayerPage.tsx'
import { readLayerTable } from '#app/features/contributions/pages/layers.functions.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { readPage } from '#app/lib/search-params.ts'

/** A layer of an activity's map as a table. */
export const Route = createFileRoute('/_site/projects/$slug/$activity/layers/$layer')({
  staticData: { namespaces: ['contributions'] },
  validateSearch: readPage,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { slug, activity, layer }, deps }) => readLayerTable({ data: { project: slug, activity, layer, search: deps } }),
  head: ({ matches, match, loaderData }) => (loaderData ? buildPageHead({ matches, match }, loaderData.head) : {}),
  component: Page,
})

function Page() {
  const { activity, table } = Route.useLoaderData()
  return <LayerPage activity={activity} table={table} />
}
