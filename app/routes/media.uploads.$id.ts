import { createFileRoute } from '@tanstack/react-router'
import { receiveUploadPiece } from '#app/features/media/media.files.server.ts'

/** Pieces of a file on its way into the library. */
export const Route = createFileRoute('/media/uploads/$id')({ server: { handlers: { GET: receiveUploadPiece, PATCH: receiveUploadPiece } } })
