import { createFileRoute } from '@tanstack/react-router'
import { uploadSurvey } from '#app/features/surveys/import/import-upload.server.ts'

/** Takes a file that a survey is made from. */
export const Route = createFileRoute('/admin/surveys/import.json')({ server: { handlers: { POST: uploadSurvey } } })
