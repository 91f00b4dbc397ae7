import { createFileRoute } from '@tanstack/react-router'
import { serveFeed } from '#app/features/updates/updates-feed.server.ts'

export const Route = createFileRoute('/feed.atom')({ server: { handlers: { GET: serveFeed } } })
