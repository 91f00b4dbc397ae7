import { createFileRoute } from '@tanstack/react-router'
import { SitesPage } from '#app/features/sites/admin/SitesPage.tsx'
import { siteDeletionsQuery, siteListQuery } from '#app/features/sites/sites.queries.ts'

export const Route = createFileRoute('/admin/sites/')({
  staticData: { namespaces: ['platform'] },
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(siteListQuery), queryClient.ensureQueryData(siteDeletionsQuery)]),
  component: SitesPage,
})
