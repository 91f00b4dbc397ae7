import { createFileRoute } from '@tanstack/react-router'
import { NewProject } from '#app/features/projects/admin/NewProject.tsx'
import { projectPlacesQuery } from '#app/features/projects/projects.queries.ts'

export const Route = createFileRoute('/admin/projects/new')({
  loader: ({ context }) => context.queryClient.ensureQueryData(projectPlacesQuery),
  component: NewProject,
})
