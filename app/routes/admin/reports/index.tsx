import { createFileRoute } from '@tanstack/react-router'
import { ReportScreen } from '#app/features/reports/admin/ReportScreen.tsx'
import { readReportSearch } from '#app/features/reports/report.search.ts'

export const Route = createFileRoute('/admin/reports/')({
  staticData: { namespaces: ['reports'] },
  validateSearch: readReportSearch,
  component: Report,
})

function Report() {
  return <ReportScreen search={Route.useSearch()} />
}
