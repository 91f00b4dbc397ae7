import { createFileRoute } from '@tanstack/react-router'
import { serveCodes } from '#app/features/reports/codes-files.server.ts'

export const Route = createFileRoute('/admin/projects/$id_/codes.xlsx')({ server: { handlers: { GET: serveCodes } } })
