import { createFileRoute } from '@tanstack/react-router'
import { UpdateEditor } from '#app/features/updates/admin/UpdateEditor.tsx'
import { updateQuery } from '#app/features/updates/updates.queries.ts'

export const Route = createFileRoute('/admin/updates/$id')({
  staticData: { namespaces: ['platform'] },
  loader: ({ context, params }) => context.queryClient.ensureQueryData(updateQuery(params.id)),
  component: Update,
})

function Update() {
  const { id } = Route.useParams()
  return <UpdateEditor key={id} id={id} />
}
