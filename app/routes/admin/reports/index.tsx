import { createFileRoute, Link } from '@tanstack/react-router'
import { ReportScreen } from '#app/features/reports/admin/ReportScreen.tsx'
import { readReportSearch } from '#app/features/reports/report.search.ts'
import { SavedViews } from '#app/features/saved-views/admin/SavedViews.tsx'
import { formatViewQuery } from '#app/features/saved-views/saved-views.schema.ts'
import { parseSearchParams } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/reports/')({
  staticData: { namespaces: ['reports'] },
  validateSearch: readReportSearch,
  component: Report,
})

function Report() {
  const search = Route.useSearch()
  const views = (
    <SavedViews
      table="reports"
      shown={formatViewQuery(search)}
      link={(query, children, attributes) => (
        <Link to="/admin/reports" search={readReportSearch(parseSearchParams(query))} activeOptions={{ exact: true }} {...attributes}>
          {children}
        </Link>
      )}
    />
  )
  return <ReportScreen search={search} views={views} />
}
