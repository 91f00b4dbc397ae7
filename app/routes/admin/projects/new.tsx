import { createFileRoute } from '@tanstack/react-router'
import { NewProject, OWN_HUBS } from '#app/features/projects/admin/NewProject.tsx'
import { firstRecordQuery } from '#app/shell/admin/record-choice.tsx'

export const Route = createFileRoute('/admin/projects/new')({
  loader: async ({ context: { queryClient } }) => void (await queryClient.ensureQueryData(firstRecordQuery(OWN_HUBS))),
  component: NewProject,
})
