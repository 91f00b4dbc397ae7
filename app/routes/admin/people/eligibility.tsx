import { createFileRoute } from '@tanstack/react-router'
import { EligibilityPage } from '#app/features/verifications/admin/EligibilityPage.tsx'
import { eligibilityListsQuery } from '#app/features/verifications/verifications.queries.ts'

export const Route = createFileRoute('/admin/people/eligibility')({
  staticData: { namespaces: ['people', 'verifications', 'verifications-admin'] },
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(eligibilityListsQuery),
  component: EligibilityPage,
})
