import { createFileRoute } from '@tanstack/react-router'
import { serveReachReport } from '#app/features/reach/reach.export.server.ts'

export const Route = createFileRoute('/admin/reports/reach.xlsx')({ server: { handlers: { GET: serveReachReport } } })
