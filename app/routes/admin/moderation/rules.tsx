import { createFileRoute } from '@tanstack/react-router'
import { RulesPage } from '#app/features/contributions/admin/RulesPage.tsx'
import { moderationRulesQuery, moderationSettingsQuery, wordListsQuery } from '#app/features/contributions/contributions.queries.ts'

export const Route = createFileRoute('/admin/moderation/rules')({
  staticData: { namespaces: ['contributions-admin', 'moderation-admin'] },
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureQueryData(moderationRulesQuery),
      queryClient.ensureQueryData(moderationSettingsQuery),
      queryClient.ensureQueryData(wordListsQuery),
    ]),
  component: RulesPage,
})
