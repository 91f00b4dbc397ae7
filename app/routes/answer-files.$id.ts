import { createFileRoute } from '@tanstack/react-router'
import { downloadAnswerFile } from '#app/features/surveys/responses/files/sent-files.server.ts'

export const Route = createFileRoute('/answer-files/$id')({ server: { handlers: { GET: downloadAnswerFile } } })
