import { createFileRoute } from '@tanstack/react-router'
import { uploadResponses } from '#app/features/surveys/entry/table-upload.server.ts'

/** Uploads a file of responses. */
export const Route = createFileRoute('/admin/surveys/$survey/responses/import.json')({ server: { handlers: { POST: uploadResponses } } })
