import { createFileRoute } from '@tanstack/react-router'
import { SitesPage } from '#app/features/sites/admin/SitesPage.tsx'
import { readSiteTableSearch } from '#app/features/sites/site-table-search.ts'
import { deletedSitesQuery, openSupportGrantsQuery, siteTableQuery } from '#app/features/sites/sites.queries.ts'

export const Route = createFileRoute('/admin/sites/')({
  staticData: { namespaces: ['platform'] },
  validateSearch: readSiteTableSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    Promise.all([
      queryClient.ensureQueryData(siteTableQuery(deps)),
      queryClient.ensureQueryData(deletedSitesQuery(1)),
      queryClient.ensureQueryData(openSupportGrantsQuery),
    ]),
  component: Sites,
})

function Sites() {
  return <SitesPage search={Route.useSearch()} />
}
