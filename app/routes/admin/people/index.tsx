import { createFileRoute, Link } from '@tanstack/react-router'
import { PeopleTable } from '#app/features/people/admin/PeopleTable.tsx'
import { readPeopleSearch } from '#app/features/accounts/people-search.schema.ts'
import { peopleQuery } from '#app/features/accounts/people.queries.ts'
import { SavedViews } from '#app/features/saved-views/admin/SavedViews.tsx'
import { formatViewQuery } from '#app/features/saved-views/saved-views.schema.ts'
import { parseSearchParams } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/people/')({
  staticData: { namespaces: ['people'] },
  validateSearch: readPeopleSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(peopleQuery(deps)),
  component: People,
})

function People() {
  const search = Route.useSearch()
  const views = (
    <SavedViews
      table="people"
      shown={formatViewQuery(search)}
      link={(query, children, attributes) => (
        <Link to="/admin/people" search={readPeopleSearch(parseSearchParams(query))} activeOptions={{ exact: true }} {...attributes}>
          {children}
        </Link>
      )}
    />
  )
  return <PeopleTable search={search} views={views} />
}
