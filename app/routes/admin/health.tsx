import { createFileRoute } from '@tanstack/react-router'
import { HealthPage } from '#app/features/platform/admin/HealthPage.tsx'
import { failingSitesQuery, jobTurnsQuery } from '#app/features/platform/platform.queries.ts'
import { readPage } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/health')({
  staticData: { namespaces: ['platform'] },
  validateSearch: readPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    Promise.all([
      context.queryClient.ensureQueryData(failingSitesQuery(deps.page ?? 1)),
      context.queryClient.ensureQueryData(jobTurnsQuery),
    ]),
  component: Health,
})

function Health() {
  const { page = 1 } = Route.useSearch()
  return <HealthPage page={page} />
}
