import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { NewActivity } from '#app/features/contributions/admin/activity/NewActivity.tsx'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { AppError } from '#app/lib/app-error.ts'

export const Route = createFileRoute('/admin/projects/$id_/activities/new')({
  staticData: { namespaces: ['contributions-admin'] },
  loader: async ({ context, params }) => {
    const { data: project } = await context.queryClient.ensureQueryData(projectQuery(params.id))
    if (!project.meta.can.update) throw new AppError('forbidden')
  },
  component: NewOne,
})

function NewOne() {
  const { data: project } = useSuspenseQuery(projectQuery(Route.useParams().id)).data
  return <NewActivity project={project} />
}
