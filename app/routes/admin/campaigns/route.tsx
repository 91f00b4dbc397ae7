import { createFileRoute, Outlet } from '@tanstack/react-router'

export const Route = createFileRoute('/admin/campaigns')({ staticData: { namespaces: ['sms', 'errors'] }, component: Outlet })
