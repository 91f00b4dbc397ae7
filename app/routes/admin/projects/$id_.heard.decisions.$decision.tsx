import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DecisionEditor } from '#app/features/heard/admin/DecisionEditor.tsx'
import { decisionQuery, themesQuery } from '#app/features/heard/heard.queries.ts'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { AppError } from '#app/lib/app-error.ts'

export const Route = createFileRoute('/admin/projects/$id_/heard/decisions/$decision')({
  staticData: { namespaces: ['heard', 'heard-admin'] },
  loader: async ({ context: { queryClient }, params: { id, decision } }) => {
    const [{ data: found }] = await Promise.all([
      queryClient.ensureQueryData(decisionQuery(decision)),
      queryClient.ensureQueryData(projectQuery(id)),
      queryClient.ensureQueryData(themesQuery(id)),
    ])
    if (found.relationships.project?.id !== id) throw new AppError('not-found')
    if (!found.meta.can.update) throw new AppError('forbidden')
  },
  component: Decision,
})

function Decision() {
  const { id, decision } = Route.useParams()
  const { data: project } = useSuspenseQuery(projectQuery(id)).data
  return <DecisionEditor key={decision} project={project} id={decision} />
}
