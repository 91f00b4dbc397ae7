import { createFileRoute } from '@tanstack/react-router'
import { AuditTrail } from '#app/features/audit/admin/AuditTrail.tsx'
import { readAuditSearch } from '#app/features/audit/audit-search.ts'

export const Route = createFileRoute('/admin/audit/')({
  staticData: { namespaces: ['people'] },
  validateSearch: readAuditSearch,
  component: Audit,
})

function Audit() {
  return <AuditTrail search={Route.useSearch()} />
}
