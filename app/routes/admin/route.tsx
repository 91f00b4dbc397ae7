import { createFileRoute, Outlet, redirect } from '@tanstack/react-router'
import { AdminFrame } from '#app/features/administration/admin/AdminFrame.tsx'
import { AppError } from '#app/lib/app-error.ts'
import styles from '#app/ui/styles/admin.css?url'
import { LoneError } from '#app/shell/error-page.tsx'
import { currentUserQuery } from '#app/shell/page-state.queries.ts'

export const Route = createFileRoute('/admin')({
  ssr: 'data-only',
  staticData: { namespaces: ['admin', 'errors'] },
  beforeLoad: async ({ context, location }) => {
    const { user } = await context.queryClient.ensureQueryData(currentUserQuery)
    if (!user) throw redirect({ href: `/sign-in?next=${encodeURIComponent(location.href)}` })
    if (user.roleName === 'participant') throw new AppError('forbidden')
  },
  head: () => ({ links: [{ rel: 'stylesheet', href: styles }] }),
  component: () => (
    <AdminFrame>
      <Outlet />
    </AdminFrame>
  ),
  errorComponent: LoneError,
})
