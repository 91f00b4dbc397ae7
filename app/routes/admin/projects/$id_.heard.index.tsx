import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { HeardPage } from '#app/features/heard/admin/HeardPage.tsx'
import { decisionPublicationsQuery, decisionsQuery, textSourcesQuery, themesQuery } from '#app/features/heard/heard.queries.ts'
import { ReportSection } from '#app/features/heard-reports/admin/ReportSection.tsx'
import { reportsQuery } from '#app/features/heard-reports/heard-reports.queries.ts'
import { projectQuery } from '#app/features/projects/projects.queries.ts'

export const Route = createFileRoute('/admin/projects/$id_/heard/')({
  staticData: { namespaces: ['heard', 'heard-admin', 'duties'] },
  loader: ({ context: { queryClient }, params: { id } }) =>
    Promise.all([
      queryClient.ensureQueryData(projectQuery(id)),
      queryClient.ensureQueryData(themesQuery(id)),
      queryClient.ensureQueryData(decisionsQuery(id)),
      queryClient.ensureQueryData(decisionPublicationsQuery(id)),
      queryClient.ensureQueryData(reportsQuery(id)),
      queryClient.ensureQueryData(textSourcesQuery(id)),
    ]),
  component: Heard,
})

function Heard() {
  const { data: project } = useSuspenseQuery(projectQuery(Route.useParams().id)).data
  const { update, publish } = project.meta.can
  return <HeardPage project={project} may={{ edit: update, publish }} report={<ReportSection project={project} mayEdit={update} />} />
}
