import { createFileRoute } from '@tanstack/react-router'
import { serveReportDocument } from '#app/features/heard-reports/report-files.server.ts'

/** A version of a project's report as a PDF or DOCX. */
export const Route = createFileRoute('/projects/$slug/report/$version/download/$format')({
  server: { handlers: { GET: serveReportDocument } },
})
