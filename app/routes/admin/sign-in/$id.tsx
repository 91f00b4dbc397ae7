import { createFileRoute } from '@tanstack/react-router'
import { ProviderPage } from '#app/features/identity/admin/ProviderPage.tsx'
import { providerQuery, providerTestsQuery } from '#app/features/identity/identity.queries.ts'

export const Route = createFileRoute('/admin/sign-in/$id')({
  loader: ({ context: { queryClient }, params: { id } }) =>
    Promise.all([queryClient.ensureQueryData(providerQuery(id)), queryClient.ensureQueryData(providerTestsQuery(id))]),
  component: OneProvider,
})

function OneProvider() {
  const { id } = Route.useParams()
  return <ProviderPage key={id} id={id} />
}
