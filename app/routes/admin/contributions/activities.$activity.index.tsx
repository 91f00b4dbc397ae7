import { createFileRoute } from '@tanstack/react-router'
import { ActivityResults } from '#app/features/contributions/admin/ActivityResults.tsx'
import { activityResultsQuery } from '#app/features/contributions/results/activity-results.queries.ts'

/** The figures of an activity. */
export const Route = createFileRoute('/admin/contributions/activities/$activity/')({
  staticData: { namespaces: ['contributions-admin'] },
  loader: ({ context: { queryClient }, params: { activity } }) => queryClient.ensureQueryData(activityResultsQuery(activity)),
  component: Results,
})

function Results() {
  return <ActivityResults activity={Route.useParams().activity} />
}
