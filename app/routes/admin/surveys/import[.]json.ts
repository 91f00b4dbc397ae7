import { createFileRoute } from '@tanstack/react-router'
import { uploadSurvey } from '#app/features/surveys/import/import-upload.server.ts'

/** Uploads a file to create a survey from. */
export const Route = createFileRoute('/admin/surveys/import.json')({ server: { handlers: { POST: uploadSurvey } } })
