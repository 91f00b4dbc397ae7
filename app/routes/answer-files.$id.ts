import { createFileRoute } from '@tanstack/react-router'
import { answeredFile } from '#app/features/surveys/responses/files/sent-files.server.ts'

/** A file that was sent with a response. */
export const Route = createFileRoute('/answer-files/$id')({ server: { handlers: { GET: answeredFile } } })
