import { createFileRoute } from '@tanstack/react-router'
import { NewProject } from '#app/features/projects/admin/NewProject.tsx'

export const Route = createFileRoute('/admin/projects/new')({ component: NewProject })
