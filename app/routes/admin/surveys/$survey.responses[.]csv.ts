import { createFileRoute } from '@tanstack/react-router'
import { responsesFile } from '#app/features/surveys/surveys.export.server.ts'

/** All responses of a survey as a file. */
export const Route = createFileRoute('/admin/surveys/$survey/responses.csv')({ server: { handlers: { GET: responsesFile } } })
