import { createFileRoute } from '@tanstack/react-router'
import { IntegrationPage } from '#app/features/marketplace/admin/IntegrationPage.tsx'
import { integrationQuery } from '#app/features/marketplace/marketplace.queries.ts'

export const Route = createFileRoute('/admin/marketplace/$id')({
  loader: ({ context, params }) => context.queryClient.ensureQueryData(integrationQuery(params.id)),
  component: OneIntegration,
})

function OneIntegration() {
  const { id } = Route.useParams()
  return <IntegrationPage key={id} id={id} />
}
