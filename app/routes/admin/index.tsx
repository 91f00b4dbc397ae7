import { createFileRoute } from '@tanstack/react-router'
import { Dashboard } from '#app/features/dashboard/admin/Dashboard.tsx'
import { dashboardQuery, firstStepsQuery } from '#app/features/dashboard/dashboard.queries.ts'
import { PlatformDashboard } from '#app/features/platform/admin/PlatformDashboard.tsx'
import { readFiguresSearch } from '#app/features/platform/figures-search.ts'
import { jobTurnsQuery, siteFiguresQuery } from '#app/features/platform/platform.queries.ts'
import { ReachSummary } from '#app/features/reach/admin/ReachSummary.tsx'
import { reachSummaryQuery } from '#app/features/reach/reach.queries.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { currentUserQuery } from '#app/shell/page-state.queries.ts'

export const Route = createFileRoute('/admin/')({
  staticData: { namespaces: ['reach', 'platform'] },
  validateSearch: readFiguresSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps }) => {
    const { user } = await queryClient.ensureQueryData(currentUserQuery)
    return user?.roleName === 'platform_admin'
      ? Promise.all([queryClient.ensureQueryData(siteFiguresQuery(deps)), queryClient.ensureQueryData(jobTurnsQuery)])
      : Promise.all([
          queryClient.ensureQueryData(dashboardQuery),
          queryClient.fetchQuery(firstStepsQuery),
          queryClient.ensureQueryData(reachSummaryQuery({})),
        ])
  },
  component: Start,
})

/** The start page: a site's figures, or for platform administrators those of all sites. */
function Start() {
  const search = Route.useSearch()
  return useViewer()?.roleName === 'platform_admin' ? <PlatformDashboard search={search} /> : <Dashboard reach={<ReachSummary />} />
}
