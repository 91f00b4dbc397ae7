import { createFileRoute } from '@tanstack/react-router'
import { serveDocument } from '#app/features/projects/documents/documents.files.server.ts'

/** A project's document: `/media/documents/{id}.{ending}`. */
export const Route = createFileRoute('/media/documents/$')({ server: { handlers: { GET: serveDocument } } })
