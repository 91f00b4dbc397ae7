import { createFileRoute, Outlet } from '@tanstack/react-router'

export const Route = createFileRoute('/admin/city-data')({ staticData: { namespaces: ['city-admin'] }, component: Outlet })
