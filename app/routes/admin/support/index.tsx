import { createFileRoute } from '@tanstack/react-router'
import { SupportPage } from '#app/features/sites/admin/SupportPage.tsx'
import { grantsQuery } from '#app/features/sites/sites.queries.ts'

export const Route = createFileRoute('/admin/support/')({
  staticData: { namespaces: ['platform'] },
  loader: ({ context }) => context.queryClient.ensureQueryData(grantsQuery),
  component: SupportPage,
})
