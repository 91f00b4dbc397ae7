import { createFileRoute } from '@tanstack/react-router'
import { EligibilityPage } from '#app/features/verifications/admin/EligibilityPage.tsx'
import { codeBatchesQuery, eligibilityListsQuery, postcodeSettingsQuery } from '#app/features/verifications/verifications.queries.ts'

export const Route = createFileRoute('/admin/people/eligibility')({
  staticData: { namespaces: ['people', 'verifications', 'verifications-admin'] },
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.ensureQueryData(eligibilityListsQuery),
      queryClient.ensureQueryData(codeBatchesQuery),
      queryClient.ensureQueryData(postcodeSettingsQuery),
    ]),
  component: EligibilityPage,
})
