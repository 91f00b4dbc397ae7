import { createFileRoute } from '@tanstack/react-router'
import { ModerationQueue } from '#app/features/contributions/admin/ModerationQueue.tsx'
import { readQueueSearch } from '#app/features/contributions/moderation/queue-search.ts'

export const Route = createFileRoute('/admin/moderation/')({
  staticData: { namespaces: ['moderation-admin', 'contributions-admin'] },
  validateSearch: readQueueSearch,
  component: Moderation,
})

function Moderation() {
  return <ModerationQueue search={Route.useSearch()} />
}
