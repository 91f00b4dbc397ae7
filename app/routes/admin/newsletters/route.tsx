import { createFileRoute, Outlet } from '@tanstack/react-router'

export const Route = createFileRoute('/admin/newsletters')({
  staticData: { namespaces: ['letters', 'sms', 'editor', 'errors'] },
  component: Outlet,
})
