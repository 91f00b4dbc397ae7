import { createFileRoute } from '@tanstack/react-router'
import { serveShareCard } from '#app/features/sites/share-card.server.ts'

export const Route = createFileRoute('/og/$kind/{$slug}.png')({ server: { handlers: { GET: serveShareCard } } })
