import { createFileRoute } from '@tanstack/react-router'
import { SitesPage } from '#app/features/sites/admin/SitesPage.tsx'
import { siteListQuery } from '#app/features/sites/sites.queries.ts'

export const Route = createFileRoute('/admin/sites/')({
  staticData: { namespaces: ['platform'] },
  loader: ({ context }) => context.queryClient.ensureQueryData(siteListQuery),
  component: SitesPage,
})
