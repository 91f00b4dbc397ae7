import { createFileRoute } from '@tanstack/react-router'
import { downloadResponses } from '#app/features/surveys/export/export-responses.server.ts'

/** All responses of a survey in the format named by the address. */
export const Route = createFileRoute('/admin/surveys/$survey/download/$format')({ server: { handlers: { GET: downloadResponses } } })
