import { createFileRoute } from '@tanstack/react-router'
import { PeopleTable } from '#app/features/accounts/admin/PeopleTable.tsx'
import { readPeopleSearch } from '#app/features/accounts/people-search.ts'
import { groupsQuery, peopleQuery, placesQuery } from '#app/features/accounts/people.queries.ts'

export const Route = createFileRoute('/admin/people/')({
  staticData: { namespaces: ['people'] },
  validateSearch: readPeopleSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    Promise.all([
      context.queryClient.ensureQueryData(peopleQuery(deps)),
      context.queryClient.ensureQueryData(placesQuery),
      context.queryClient.ensureQueryData(groupsQuery),
    ]),
  component: People,
})

function People() {
  return <PeopleTable search={Route.useSearch()} />
}
