import { createFileRoute } from '@tanstack/react-router'
import { servePhoto } from '#app/features/contributions/posting/serve-photo.server.ts'

/** A photo of a contribution: `/media/photos/{id}/{width}`. */
export const Route = createFileRoute('/media/photos/$id/$width')({ server: { handlers: { GET: servePhoto } } })
