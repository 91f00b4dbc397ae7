import { createFileRoute } from '@tanstack/react-router'
import { Connector } from '#app/features/opencities/admin/Connector.tsx'
import { connectorQuery } from '#app/features/opencities/connectors.queries.ts'

export const Route = createFileRoute('/admin/city-data/$id')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(connectorQuery(params.id)),
  component: OneConnector,
})

function OneConnector() {
  const { id } = Route.useParams()
  return <Connector key={id} id={id} />
}
