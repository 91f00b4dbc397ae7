import { createFileRoute } from '@tanstack/react-router'
import { GroupsPage } from '#app/features/people/admin/GroupsPage.tsx'
import { groupsQuery } from '#app/features/accounts/people.queries.ts'

export const Route = createFileRoute('/admin/people/groups')({
  staticData: { namespaces: ['people'] },
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(groupsQuery),
  component: GroupsPage,
})
