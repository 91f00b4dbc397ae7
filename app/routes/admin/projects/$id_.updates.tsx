import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { UpdatesPage } from '#app/features/updates/admin/UpdatesPage.tsx'
import { updateListQuery } from '#app/features/updates/updates.queries.ts'

export const Route = createFileRoute('/admin/projects/$id_/updates')({
  staticData: { namespaces: ['platform'] },
  loader: ({ context, params }) =>
    Promise.all([
      context.queryClient.ensureQueryData(projectQuery(params.id)),
      context.queryClient.ensureQueryData(updateListQuery(params.id)),
    ]),
  component: Updates,
})

function Updates() {
  const { data: project } = useSuspenseQuery(projectQuery(Route.useParams().id)).data
  return <UpdatesPage project={project} mayWrite={project.meta.can.update} />
}
