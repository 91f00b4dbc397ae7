import { createFileRoute } from '@tanstack/react-router'
import { PagesPage } from '#app/features/pages/admin/PagesPage.tsx'
import { pageListQuery } from '#app/features/pages/pages.queries.ts'
import { AppError } from '#app/lib/app-error.ts'
import { currentUserQuery } from '#app/shell/page-state.queries.ts'

export const Route = createFileRoute('/admin/pages/')({
  staticData: { namespaces: ['platform'] },
  loader: async ({ context: { queryClient } }) => {
    const { user } = await queryClient.ensureQueryData(currentUserQuery)
    if (user?.roleName !== 'site_admin') throw new AppError('forbidden')
    await queryClient.ensureQueryData(pageListQuery)
  },
  component: PagesPage,
})
