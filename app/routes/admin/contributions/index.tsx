import { createFileRoute } from '@tanstack/react-router'
import { ContributionsPage } from '#app/features/contributions/admin/ContributionsPage.tsx'
import {
  contributionListQuery,
  heldContributionsQuery,
  heldRepliesQuery,
  moderationRulesQuery,
  moderationSettingsQuery,
  openQuestionsQuery,
  objectionsQuery,
  pendingAppealsQuery,
  reportedCasesQuery,
} from '#app/features/contributions/contributions.queries.ts'
import { readPage } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/contributions/')({
  staticData: { namespaces: ['contributions-admin', 'moderation-admin'] },
  validateSearch: readPage,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) =>
    Promise.all([
      queryClient.ensureQueryData(heldContributionsQuery),
      queryClient.ensureQueryData(heldRepliesQuery),
      queryClient.ensureQueryData(objectionsQuery),
      queryClient.ensureQueryData(moderationRulesQuery),
      queryClient.ensureQueryData(moderationSettingsQuery),
      queryClient.ensureQueryData(reportedCasesQuery),
      queryClient.ensureQueryData(pendingAppealsQuery),
      queryClient.ensureQueryData(openQuestionsQuery),
      queryClient.ensureQueryData(contributionListQuery(deps.page ?? 1)),
    ]),
  component: Contributions,
})

function Contributions() {
  const { page = 1 } = Route.useSearch()
  return <ContributionsPage page={page} />
}
