import { createFileRoute, Link } from '@tanstack/react-router'
import { ContributionDesk } from '#app/features/contributions/admin/ContributionDesk.tsx'
import { deskFrameQuery, deskQuery } from '#app/features/contributions/contributions.queries.ts'
import { readDeskSearch } from '#app/features/contributions/desk/desk-search.ts'
import { SavedViews } from '#app/features/saved-views/admin/SavedViews.tsx'
import { formatViewQuery } from '#app/features/saved-views/saved-views.schema.ts'
import { parseSearchParams } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/contributions/')({
  staticData: { namespaces: ['contributions-admin', 'contributions', 'moderation-admin'] },
  validateSearch: readDeskSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    Promise.all([queryClient.ensureQueryData(deskQuery(deps)), queryClient.ensureQueryData(deskFrameQuery(deps.activity))]),
  component: Contributions,
})

function Contributions() {
  const search = Route.useSearch()
  const views = (
    <SavedViews
      table="contributions"
      shown={formatViewQuery(search)}
      link={(query, children, attributes) => (
        <Link to="/admin/contributions" search={readDeskSearch(parseSearchParams(query))} activeOptions={{ exact: true }} {...attributes}>
          {children}
        </Link>
      )}
    />
  )
  return <ContributionDesk search={search} views={views} />
}
