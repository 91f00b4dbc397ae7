import { createFileRoute, Outlet } from '@tanstack/react-router'

export const Route = createFileRoute('/admin/marketplace')({ staticData: { namespaces: ['marketplace', 'errors'] }, component: Outlet })
