import { createFileRoute } from '@tanstack/react-router'
import { AreasPage } from '#app/features/areas/admin/AreasPage.tsx'
import { followedDatasetQuery, outlinesQuery } from '#app/features/areas/areas.queries.ts'
import { LostAreas } from '#app/features/opencities/admin/LostAreas.tsx'

export const Route = createFileRoute('/admin/settings/areas')({
  staticData: { namespaces: ['areas-admin', 'city-admin', 'editor'] },
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(outlinesQuery), queryClient.ensureQueryData(followedDatasetQuery)]),
  component: () => <AreasPage lost={<LostAreas />} />,
})
