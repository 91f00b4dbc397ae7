import { createFileRoute } from '@tanstack/react-router'
import { feedFile } from '#app/features/updates/feed.server.ts'

export const Route = createFileRoute('/feed.atom')({ server: { handlers: { GET: feedFile } } })
