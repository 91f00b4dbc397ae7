import { createFileRoute } from '@tanstack/react-router'
import { serveCodebook } from '#app/features/heard/export-codebook.server.ts'

export const Route = createFileRoute('/admin/projects/$id_/codes.qdc')({ server: { handlers: { GET: serveCodebook } } })
