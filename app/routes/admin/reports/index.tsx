import { createFileRoute } from '@tanstack/react-router'
import { ReportScreen } from '#app/features/reports/admin/ReportScreen.tsx'
import { readReportSearch } from '#app/features/reports/report.search.ts'
import { ReportViews } from '#app/features/reports/views/admin/ReportViews.tsx'

export const Route = createFileRoute('/admin/reports/')({
  staticData: { namespaces: ['reports'] },
  validateSearch: readReportSearch,
  component: Report,
})

function Report() {
  const search = Route.useSearch()
  return <ReportScreen search={search} views={<ReportViews search={search} />} />
}
