import { createFileRoute } from '@tanstack/react-router'
import { ImportContacts } from '#app/features/people/admin/ImportContacts.tsx'
import { groupsQuery } from '#app/features/accounts/people.queries.ts'

export const Route = createFileRoute('/admin/people/import')({
  staticData: { namespaces: ['people'] },
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(groupsQuery),
  component: ImportContacts,
})
