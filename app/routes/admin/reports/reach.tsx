import { createFileRoute } from '@tanstack/react-router'
import { ReachReport } from '#app/features/reach/admin/ReachReport.tsx'
import { reachQuery } from '#app/features/reach/reach.queries.ts'
import { readReachSearch } from '#app/features/reach/reach.search.ts'

export const Route = createFileRoute('/admin/reports/reach')({
  staticData: { namespaces: ['reach'] },
  validateSearch: readReachSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(reachQuery(deps)),
  component: Report,
})

function Report() {
  return <ReachReport search={Route.useSearch()} />
}
