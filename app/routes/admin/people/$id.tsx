import { createFileRoute } from '@tanstack/react-router'
import { PersonPage } from '#app/features/accounts/admin/PersonPage.tsx'
import { activityQuery, groupsQuery, personQuery, personRolesQuery, placesQuery } from '#app/features/accounts/people.queries.ts'

export const Route = createFileRoute('/admin/people/$id')({
  staticData: { namespaces: ['people'] },
  loader: ({ context: { queryClient }, params: { id } }) =>
    Promise.all([
      queryClient.ensureQueryData(personQuery(id)),
      queryClient.ensureQueryData(personRolesQuery(id)),
      queryClient.ensureQueryData(activityQuery(id)),
      queryClient.ensureQueryData(groupsQuery),
      queryClient.ensureQueryData(placesQuery),
    ]),
  component: Person,
})

function Person() {
  const { id } = Route.useParams()
  return <PersonPage key={id} id={id} />
}
