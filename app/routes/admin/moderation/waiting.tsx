import { createFileRoute } from '@tanstack/react-router'
import { WaitingTexts } from '#app/features/contributions/admin/WaitingTexts.tsx'
import {
  heldContributionsQuery,
  heldRepliesQuery,
  objectionsQuery,
  openQuestionsQuery,
  pendingAppealsQuery,
  reportedCasesQuery,
} from '#app/features/contributions/contributions.queries.ts'

/** What waits for an answer or a decision. */
export const Route = createFileRoute('/admin/moderation/waiting')({
  staticData: { namespaces: ['contributions-admin', 'moderation-admin'] },
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureQueryData(heldContributionsQuery),
      queryClient.ensureQueryData(heldRepliesQuery),
      queryClient.ensureQueryData(objectionsQuery),
      queryClient.ensureQueryData(reportedCasesQuery),
      queryClient.ensureQueryData(pendingAppealsQuery),
      queryClient.ensureQueryData(openQuestionsQuery),
    ]),
  component: WaitingTexts,
})
