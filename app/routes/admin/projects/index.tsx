import { createFileRoute, Link } from '@tanstack/react-router'
import { ProjectTable } from '#app/features/projects/admin/ProjectTable.tsx'
import { readProjectTableSearch } from '#app/features/projects/project-table-search.ts'
import { projectTableQuery, projectTopicsQuery } from '#app/features/projects/projects.queries.ts'
import { SavedViews } from '#app/features/saved-views/admin/SavedViews.tsx'
import { formatViewQuery } from '#app/features/saved-views/saved-views.schema.ts'
import { parseSearchParams } from '#app/lib/search-params.ts'
import { useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { hubSource } from '#app/shell/admin/record-sources.ts'
import { useViewer } from '#app/shell/page-state.tsx'

export const Route = createFileRoute('/admin/projects/')({
  validateSearch: readProjectTableSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    Promise.all([context.queryClient.ensureQueryData(projectTableQuery(deps)), context.queryClient.ensureQueryData(projectTopicsQuery)]),
  component: Projects,
})

const OWN_HUBS = hubSource({ mine: true })

function Projects() {
  const viewer = useViewer()
  const ownHubs = useFirstRecord(OWN_HUBS).total ?? 0
  const mayCreate = viewer?.roleName === 'site_admin' || ownHubs > 0
  const search = Route.useSearch()
  const views = (
    <SavedViews
      table="projects"
      shown={formatViewQuery(search)}
      link={(query, children, attributes) => (
        <Link
          to="/admin/projects"
          search={readProjectTableSearch(parseSearchParams(query))}
          activeOptions={{ exact: true }}
          {...attributes}
        >
          {children}
        </Link>
      )}
    />
  )
  return <ProjectTable search={search} mayCreate={mayCreate} views={views} />
}
