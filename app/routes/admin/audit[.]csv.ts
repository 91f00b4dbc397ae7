import { createFileRoute } from '@tanstack/react-router'
import { exportAudit } from '#app/features/audit/audit.export.server.ts'

export const Route = createFileRoute('/admin/audit.csv')({ server: { handlers: { GET: exportAudit } } })
