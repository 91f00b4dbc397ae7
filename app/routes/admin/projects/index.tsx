import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ProjectTable } from '#app/features/projects/admin/ProjectTable.tsx'
import { readProjectTableSearch } from '#app/features/projects/project-table-search.ts'
import { projectPlacesQuery, projectTableQuery } from '#app/features/projects/projects.queries.ts'
import { useViewer } from '#app/shell/page-state.tsx'

export const Route = createFileRoute('/admin/projects/')({
  validateSearch: readProjectTableSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    Promise.all([context.queryClient.ensureQueryData(projectTableQuery(deps)), context.queryClient.ensureQueryData(projectPlacesQuery)]),
  component: Projects,
})

function Projects() {
  const viewer = useViewer()
  const places = useQuery(projectPlacesQuery).data
  const mayCreate = viewer?.roleName === 'site_admin' || places?.hubs.some((hub) => hub.meta.can.createProject) === true
  return <ProjectTable search={Route.useSearch()} mayCreate={mayCreate} />
}
