import { createFileRoute } from '@tanstack/react-router'
import { HubsPage } from '#app/features/hubs/admin/HubsPage.tsx'
import { hubListQuery } from '#app/features/hubs/hubs.queries.ts'

export const Route = createFileRoute('/admin/hubs/')({
  staticData: { namespaces: ['platform'] },
  loader: ({ context }) => context.queryClient.ensureQueryData(hubListQuery),
  component: HubsPage,
})
