import { createFileRoute } from '@tanstack/react-router'
import { ProvidersPage } from '#app/features/identity/admin/ProvidersPage.tsx'
import { providersQuery, requestsQuery } from '#app/features/identity/identity.queries.ts'

export const Route = createFileRoute('/admin/sign-in/')({
  loader: ({ context: { queryClient } }) =>
    Promise.all([queryClient.ensureQueryData(providersQuery), queryClient.ensureQueryData(requestsQuery)]),
  component: ProvidersPage,
})
