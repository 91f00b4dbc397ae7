import { createFileRoute } from '@tanstack/react-router'
import { PagesPage } from '#app/features/pages/admin/PagesPage.tsx'
import { pageListQuery } from '#app/features/pages/pages.queries.ts'

export const Route = createFileRoute('/admin/pages/')({
  staticData: { namespaces: ['platform'] },
  loader: ({ context }) => context.queryClient.ensureQueryData(pageListQuery),
  component: PagesPage,
})
