import { createFileRoute } from '@tanstack/react-router'
import { ContributionEditor } from '#app/features/contributions/admin/ContributionEditor.tsx'
import { readDeskSearch } from '#app/features/contributions/desk/desk-search.ts'
import { CommentsButton } from '#app/features/teamwork/admin/CommentsButton.tsx'
import {
  answerDraftQuery,
  assigneesQuery,
  contributionQuery,
  deskEntryQuery,
  linksQuery,
  moderationSettingsQuery,
  notesQuery,
  officialResponsesQuery,
  openCasesQuery,
  statusesQuery,
  translationsQuery,
} from '#app/features/contributions/contributions.queries.ts'

export const Route = createFileRoute('/admin/contributions/$id')({
  staticData: { namespaces: ['contributions-admin', 'contributions', 'moderation-admin', 'teamwork'] },
  validateSearch: readDeskSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, params: { id }, deps }) => {
    const { data } = await queryClient.ensureQueryData(contributionQuery(id))
    const activity = data.relationships.activity?.id ?? ''
    await Promise.all([
      queryClient.ensureQueryData(statusesQuery(activity)),
      queryClient.ensureQueryData(officialResponsesQuery(id)),
      ...(data.question && data.meta.can.answer ? [queryClient.ensureQueryData(assigneesQuery(id))] : []),
      ...(data.meta.can.moderate
        ? [
            queryClient.ensureQueryData(openCasesQuery(id)),
            queryClient.ensureQueryData(notesQuery(id)),
            queryClient.ensureQueryData(deskEntryQuery(id, deps)),
          ]
        : []),
      queryClient.ensureQueryData(linksQuery(id)),
      ...(data.meta.can.answer
        ? [
            queryClient.ensureQueryData(translationsQuery(id)),
            queryClient.ensureQueryData(answerDraftQuery(id)),
            queryClient.ensureQueryData(moderationSettingsQuery),
          ]
        : []),
    ])
  },
  component: Contribution,
})

function Contribution() {
  const { id } = Route.useParams()
  return <ContributionEditor id={id} search={Route.useSearch()} comments={<CommentsButton key={id} kind="contribution" id={id} />} />
}
