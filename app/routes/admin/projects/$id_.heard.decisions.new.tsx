import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { NewDecision } from '#app/features/heard/admin/NewDecision.tsx'
import { themesQuery } from '#app/features/heard/heard.queries.ts'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { AppError } from '#app/lib/app-error.ts'

export const Route = createFileRoute('/admin/projects/$id_/heard/decisions/new')({
  staticData: { namespaces: ['heard', 'heard-admin'] },
  loader: async ({ context: { queryClient }, params: { id } }) => {
    const [{ data: project }] = await Promise.all([
      queryClient.ensureQueryData(projectQuery(id)),
      queryClient.ensureQueryData(themesQuery(id)),
    ])
    if (!project.meta.can.update) throw new AppError('forbidden')
  },
  component: NewOne,
})

function NewOne() {
  const { data: project } = useSuspenseQuery(projectQuery(Route.useParams().id)).data
  return <NewDecision project={project} />
}
