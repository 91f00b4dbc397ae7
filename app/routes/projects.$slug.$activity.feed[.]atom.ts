import { createFileRoute } from '@tanstack/react-router'
import { serveActivityFeed } from '#app/features/contributions/reading/activity-feed.server.ts'

/** What is published in an activity, for feed readers. */
export const Route = createFileRoute('/projects/$slug/$activity/feed.atom')({ server: { handlers: { GET: serveActivityFeed } } })
