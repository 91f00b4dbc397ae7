import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ProjectAreas } from '#app/features/areas/admin/ProjectAreas.tsx'
import { ProjectActivities } from '#app/features/contributions/admin/ProjectActivities.tsx'
import { ProjectEditor } from '#app/features/projects/admin/ProjectEditor.tsx'
import { ReadOnlyProject } from '#app/features/projects/admin/ReadOnlyProject.tsx'
import { ReachSummary } from '#app/features/reach/admin/ReachSummary.tsx'
import { ShareButton } from '#app/features/revisions/admin/ShareButton.tsx'
import { ProjectSurveys } from '#app/features/surveys/admin/list/ProjectSurveys.tsx'
import { projectPlacesQuery, projectQuery } from '#app/features/projects/projects.queries.ts'

export const Route = createFileRoute('/admin/projects/$id')({
  staticData: { namespaces: ['reach', 'survey-admin', 'city-admin', 'people', 'editor', 'contributions-admin'] },
  loader: ({ context, params }) =>
    Promise.all([context.queryClient.ensureQueryData(projectQuery(params.id)), context.queryClient.ensureQueryData(projectPlacesQuery)]),
  component: Project,
})

function Project() {
  const { id } = Route.useParams()
  const { data: document } = useSuspenseQuery(projectQuery(id))
  if (!document.data.meta.can.update) return <ReadOnlyProject document={document} />
  return (
    <ProjectEditor
      key={id}
      id={id}
      areas={<ProjectAreas project={id} />}
      activities={<ProjectActivities project={id} slug={document.data.slug} />}
      surveys={<ProjectSurveys project={id} />}
      share={<ShareButton place={{ subject: 'project', projectId: id }} />}
      reach={<ReachSummary place={{ kind: 'project', id }} />}
    />
  )
}
