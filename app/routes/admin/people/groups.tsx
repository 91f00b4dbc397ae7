import { createFileRoute } from '@tanstack/react-router'
import { GroupsPage } from '#app/features/people/admin/GroupsPage.tsx'
import { groupsQuery, placesQuery } from '#app/features/accounts/people.queries.ts'

export const Route = createFileRoute('/admin/people/groups')({
  staticData: { namespaces: ['people'] },
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(groupsQuery), queryClient.ensureQueryData(placesQuery)]),
  component: GroupsPage,
})
