import { createFileRoute } from '@tanstack/react-router'
import { receiveUploadPiece } from '#app/features/media/media.files.server.ts'

/** Chunks of a resumable upload to the media library. */
export const Route = createFileRoute('/media/uploads/$id')({ server: { handlers: { GET: receiveUploadPiece, PATCH: receiveUploadPiece } } })
