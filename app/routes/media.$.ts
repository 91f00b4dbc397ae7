import { createFileRoute } from '@tanstack/react-router'
import { servePicture } from '#app/features/media/media.files.server.ts'

/** A picture of the library: `/media/{id}/{version}/{width}`, or `/media/{id}` as it is now. */
export const Route = createFileRoute('/media/$')({ server: { handlers: { GET: servePicture } } })
