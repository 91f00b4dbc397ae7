import { createFileRoute } from '@tanstack/react-router'
import { CrowdsPage } from '#app/features/crowds/admin/CrowdsPage.tsx'
import { crowdsQuery } from '#app/features/crowds/crowds.queries.ts'
import { readPage } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/contributions/unusual')({
  staticData: { namespaces: ['contributions-admin'] },
  validateSearch: readPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => queryClient.ensureQueryData(crowdsQuery(deps.page ?? 1)),
  component: Unusual,
})

function Unusual() {
  const { page = 1 } = Route.useSearch()
  return <CrowdsPage page={page} />
}
