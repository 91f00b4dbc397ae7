import { createFileRoute } from '@tanstack/react-router'
import { serveReachReport } from '#app/features/reach/reach.export.server.ts'

/** The reach report as a workbook. */
export const Route = createFileRoute('/admin/reports.xlsx')({ server: { handlers: { GET: serveReachReport } } })
