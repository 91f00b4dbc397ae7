import { createFileRoute } from '@tanstack/react-router'
import { reachFile } from '#app/features/reach/reach.export.server.ts'

/** Reach as a workbook. */
export const Route = createFileRoute('/admin/reports.xlsx')({ server: { handlers: { GET: reachFile } } })
