import { createFileRoute } from '@tanstack/react-router'
import { downloadExport } from '#app/features/surveys/export/exports.server.ts'

/** A file generated in the background. */
export const Route = createFileRoute('/admin/surveys/$survey/exports/$id')({ server: { handlers: { GET: downloadExport } } })
