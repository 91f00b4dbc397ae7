import { createFileRoute } from '@tanstack/react-router'
import { NewConnector } from '#app/features/opencities/admin/NewConnector.tsx'

export const Route = createFileRoute('/admin/city-data/new')({ component: NewConnector })
