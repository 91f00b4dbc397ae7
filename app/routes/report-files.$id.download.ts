import { createFileRoute } from '@tanstack/react-router'
import { downloadReportFile } from '#app/features/reports/report-exports.server.ts'

/** A report's finished PDF. */
export const Route = createFileRoute('/report-files/$id/download')({ server: { handlers: { GET: downloadReportFile } } })
