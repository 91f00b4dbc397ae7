import { createFileRoute } from '@tanstack/react-router'
import { DatasetListPage } from '#app/features/opencities/DatasetList.tsx'
import { readOpenData } from '#app/features/opencities/reading.functions.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'

/** The datasets of the site and of its projects. */
export const Route = createFileRoute('/_site/data/')({
  staticData: { namespaces: ['city-data'] },
  loader: () => readOpenData(),
  head: ({ matches, match }) => {
    const { i18n } = match.context
    return buildPageHead(
      { matches, match },
      { title: i18n.t('city-data:list.title'), description: i18n.t('city-data:list.lead'), path: '/data' },
    )
  },
  component: Page,
})

function Page() {
  return <DatasetListPage {...Route.useLoaderData()} />
}
