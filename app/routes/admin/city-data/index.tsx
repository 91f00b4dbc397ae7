import { createFileRoute } from '@tanstack/react-router'
import { CityData } from '#app/features/opencities/admin/CityData.tsx'
import { connectorsQuery, datasetsQuery } from '#app/features/opencities/connectors.queries.ts'

export const Route = createFileRoute('/admin/city-data/')({
  loader: ({ context }) =>
    Promise.all([context.queryClient.ensureQueryData(connectorsQuery), context.queryClient.ensureQueryData(datasetsQuery)]),
  component: CityData,
})
