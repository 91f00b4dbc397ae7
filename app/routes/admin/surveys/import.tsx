import { createFileRoute } from '@tanstack/react-router'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { ImportSurvey } from '#app/features/surveys/admin/entry/ImportSurvey.tsx'
import { OWN_PROJECTS } from '#app/features/surveys/admin/list/use-project-choice.ts'
import { firstRecordQuery } from '#app/shell/admin/record-choice.tsx'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'
import { ChosenProject } from './-chosen-project.tsx'

export const Route = createFileRoute('/admin/surveys/import')({
  staticData: { namespaces: ['survey-admin', 'survey-data'] },
  validateSearch: ({ project }: Record<string, unknown>): { project?: string } => omitUndefined({ project: readTextParam(project, 36) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { project } }) =>
    project ? queryClient.ensureQueryData(projectQuery(project)) : queryClient.ensureQueryData(firstRecordQuery(OWN_PROJECTS)),
  component: ImportIntoProject,
})

function ImportIntoProject() {
  const { project } = Route.useSearch()
  if (!project) return <ImportSurvey project={undefined} />
  return <ChosenProject id={project}>{(chosen) => <ImportSurvey key={project} project={chosen} />}</ChosenProject>
}
