import { createFileRoute } from '@tanstack/react-router'
import { RulesPage } from '#app/features/contributions/admin/RulesPage.tsx'
import { moderationRulesQuery, moderationSettingsQuery, wordListsQuery } from '#app/features/contributions/contributions.queries.ts'
import { JargonLists } from '#app/features/plain-words/admin/JargonLists.tsx'
import { jargonListsQuery } from '#app/shell/admin/plain-words/jargon-lists.queries.ts'

export const Route = createFileRoute('/admin/moderation/rules')({
  staticData: { namespaces: ['contributions-admin', 'moderation-admin', 'plain-words'] },
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureQueryData(moderationRulesQuery),
      queryClient.ensureQueryData(moderationSettingsQuery),
      queryClient.ensureQueryData(wordListsQuery),
      queryClient.ensureQueryData(jargonListsQuery),
    ]),
  component: RulesRoute,
})

function RulesRoute() {
  return (
    <>
      <RulesPage />
      <JargonLists />
    </>
  )
}
