import { createFileRoute } from '@tanstack/react-router'
import { serveOpenContributions } from '#app/features/contributions/results/open-contributions.server.ts'

/** What is published in an activity, as open data. */
export const Route = createFileRoute('/projects/$slug/$activity/contributions.geojson')({
  server: { handlers: { GET: serveOpenContributions('geojson') } },
})
