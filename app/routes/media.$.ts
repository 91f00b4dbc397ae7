import { createFileRoute } from '@tanstack/react-router'
import { servePicture } from '#app/features/media/media.files.server.ts'

/** A picture of the library: `/media/{id}/{version}/{width}`, or its current version at `/media/{id}`. */
export const Route = createFileRoute('/media/$')({ server: { handlers: { GET: servePicture } } })
