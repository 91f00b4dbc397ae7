import { createFileRoute } from '@tanstack/react-router'
import { Dashboard } from '#app/features/dashboard/admin/Dashboard.tsx'
import { dashboardQuery } from '#app/features/dashboard/dashboard.queries.ts'
import { ReachSummary } from '#app/features/reach/admin/ReachSummary.tsx'
import { reachQuery } from '#app/features/reach/reach.queries.ts'

export const Route = createFileRoute('/admin/')({
  staticData: { namespaces: ['reach'] },
  loader: ({ context }) =>
    Promise.all([context.queryClient.ensureQueryData(dashboardQuery), context.queryClient.ensureQueryData(reachQuery({}))]),
  component: () => <Dashboard reach={<ReachSummary />} />,
})
