import { createFileRoute } from '@tanstack/react-router'
import { exportRecord } from '#app/features/privacy/export-record.server.ts'

export const Route = createFileRoute('/admin/privacy.csv')({ server: { handlers: { GET: exportRecord } } })
