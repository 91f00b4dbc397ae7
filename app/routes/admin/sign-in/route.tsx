import { createFileRoute, Outlet } from '@tanstack/react-router'

export const Route = createFileRoute('/admin/sign-in')({
  staticData: { namespaces: ['identity-admin', 'verifications', 'errors'] },
  component: Outlet,
})
