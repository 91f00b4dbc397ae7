import { createFileRoute } from '@tanstack/react-router'
import { NewProject, OWN_HUBS } from '#app/features/projects/admin/NewProject.tsx'
import { COPIED_PROJECTS } from '#app/features/projects/admin/ProjectStart.tsx'
import { projectTemplatesQuery } from '#app/features/projects/projects.queries.ts'
import { firstRecordQuery } from '#app/shell/admin/record-choice.tsx'

export const Route = createFileRoute('/admin/projects/new')({
  loader: async ({ context: { queryClient } }) =>
    void (await Promise.all([
      queryClient.ensureQueryData(projectTemplatesQuery),
      queryClient.ensureQueryData(firstRecordQuery(OWN_HUBS)),
      queryClient.ensureQueryData(firstRecordQuery(COPIED_PROJECTS)),
    ])),
  component: NewProject,
})
