import { createFileRoute } from '@tanstack/react-router'
import { Dashboard } from '#app/features/dashboard/admin/Dashboard.tsx'
import { dashboardQuery } from '#app/features/dashboard/dashboard.queries.ts'

export const Route = createFileRoute('/admin/')({
  loader: ({ context }) => context.queryClient.ensureQueryData(dashboardQuery),
  component: Dashboard,
})
