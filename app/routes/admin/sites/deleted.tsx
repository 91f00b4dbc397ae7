import { createFileRoute } from '@tanstack/react-router'
import { DeletedSites } from '#app/features/sites/admin/DeletedSites.tsx'
import { deletedSitesQuery } from '#app/features/sites/sites.queries.ts'
import { readPage } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/sites/deleted')({
  staticData: { namespaces: ['platform'] },
  validateSearch: readPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(deletedSitesQuery(deps.page ?? 1)),
  component: Deleted,
})

function Deleted() {
  const { page = 1 } = Route.useSearch()
  return <DeletedSites page={page} />
}
