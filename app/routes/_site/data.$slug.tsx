import { createFileRoute } from '@tanstack/react-router'
import { DatasetPage } from '#app/features/opencities/DatasetPage.tsx'
import { readDataset } from '#app/features/opencities/reading.functions.ts'
import { readDatasetSearch } from '#app/features/opencities/dataset-views.schema.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { stringifySearchParams } from '#app/lib/search-params.ts'

/** A dataset as a chart, a map and a table. */
export const Route = createFileRoute('/_site/data/$slug')({
  staticData: { namespaces: ['city-data'] },
  validateSearch: readDatasetSearch,
  loaderDeps: ({ search }) => readDatasetSearch({ ...search }),
  loader: ({ params: { slug }, deps }) => readDataset({ data: { slug, search: deps } }),
  head: ({ matches, match, loaderData: data }) => {
    if (!data) return {}
    const { page } = data.search
    return buildPageHead(
      { matches, match },
      {
        title: data.title.text,
        description: data.description.text,
        path: `/data/${data.slug}${stringifySearchParams({ page })}`,
        hidden: Boolean(data.search.q ?? data.search.sort),
      },
    )
  },
  component: Page,
})

function Page() {
  return <DatasetPage data={Route.useLoaderData()} />
}
