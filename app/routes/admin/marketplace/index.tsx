import { createFileRoute } from '@tanstack/react-router'
import { Catalogue } from '#app/features/marketplace/admin/Catalogue.tsx'
import { integrationsQuery } from '#app/features/marketplace/marketplace.queries.ts'

export const Route = createFileRoute('/admin/marketplace/')({
  loader: ({ context }) => context.queryClient.ensureQueryData(integrationsQuery),
  component: Catalogue,
})
