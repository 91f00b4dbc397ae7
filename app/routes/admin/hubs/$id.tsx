import { createFileRoute } from '@tanstack/react-router'
import { HubEditor } from '#app/features/hubs/admin/HubEditor.tsx'
import { ReachSummary } from '#app/features/reach/admin/ReachSummary.tsx'
import { hubQuery } from '#app/features/hubs/hubs.queries.ts'

export const Route = createFileRoute('/admin/hubs/$id')({
  staticData: { namespaces: ['platform', 'reach'] },
  loader: ({ context, params }) => context.queryClient.ensureQueryData(hubQuery(params.id)),
  component: Hub,
})

function Hub() {
  const { id } = Route.useParams()
  return (
    <>
      <HubEditor key={id} id={id} />
      <ReachSummary place={{ kind: 'hub', id }} />
    </>
  )
}
