import { createFileRoute } from '@tanstack/react-router'
import { PopulationsPage } from '#app/features/reference-populations/admin/PopulationsPage.tsx'
import { populationsQuery } from '#app/features/reference-populations/admin/populations.queries.ts'

export const Route = createFileRoute('/admin/people/populations')({
  staticData: { namespaces: ['populations'] },
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(populationsQuery),
  component: PopulationsPage,
})
