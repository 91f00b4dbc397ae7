import { createFileRoute } from '@tanstack/react-router'
import { QuestionsPage } from '#app/features/profile/admin/QuestionsPage.tsx'
import { profileQuestionsQuery } from '#app/features/profile/profile.queries.ts'

export const Route = createFileRoute('/admin/people/questions')({
  staticData: { namespaces: ['people', 'survey'] },
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(profileQuestionsQuery),
  component: QuestionsPage,
})
