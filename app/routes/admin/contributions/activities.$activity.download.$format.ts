import { createFileRoute } from '@tanstack/react-router'
import { downloadActivity } from '#app/features/contributions/results/activity-export.server.ts'

/** What people sent to an activity in the format named by the address. */
export const Route = createFileRoute('/admin/contributions/activities/$activity/download/$format')({
  server: { handlers: { GET: downloadActivity } },
})
