import { createFileRoute } from '@tanstack/react-router'
import { serveReportFile } from '#app/features/reports/report-files.server.ts'

/** A report in the format named by the address. */
export const Route = createFileRoute('/admin/reports/download/$format')({ server: { handlers: { GET: serveReportFile } } })
