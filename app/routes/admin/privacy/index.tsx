import { createFileRoute } from '@tanstack/react-router'
import { NextRemovals } from '#app/features/people/retention/admin/NextRemovals.tsx'
import { nextRemovalsQuery } from '#app/features/people/retention/retention.queries.ts'
import { PrivacyPage } from '#app/features/privacy/admin/PrivacyPage.tsx'
import { useViewer } from '#app/shell/page-state.tsx'

export const Route = createFileRoute('/admin/privacy/')({
  staticData: { namespaces: ['privacy'] },
  loader: ({ context: { queryClient } }) => queryClient.fetchQuery(nextRemovalsQuery),
  component: PrivacyRoute,
})

function PrivacyRoute() {
  const viewer = useViewer()
  return <PrivacyPage removals={<NextRemovals showsSettings={viewer?.roleName === 'site_admin'} />} />
}
