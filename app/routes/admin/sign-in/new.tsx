import { createFileRoute } from '@tanstack/react-router'
import { NewProvider } from '#app/features/identity/admin/NewProvider.tsx'

export const Route = createFileRoute('/admin/sign-in/new')({ component: NewProvider })
