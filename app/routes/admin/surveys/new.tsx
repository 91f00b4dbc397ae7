import { createFileRoute } from '@tanstack/react-router'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { NewSurvey } from '#app/features/surveys/admin/list/NewSurvey.tsx'
import { OWN_PROJECTS } from '#app/features/surveys/admin/list/use-project-choice.ts'
import { firstRecordQuery } from '#app/shell/admin/record-choice.tsx'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'
import { ChosenProject } from './-chosen-project.tsx'

export const Route = createFileRoute('/admin/surveys/new')({
  staticData: { namespaces: ['survey-admin'] },
  validateSearch: ({ project }: Record<string, unknown>): { project?: string } => omitUndefined({ project: readTextParam(project, 36) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { project } }) =>
    project ? queryClient.ensureQueryData(projectQuery(project)) : queryClient.ensureQueryData(firstRecordQuery(OWN_PROJECTS)),
  component: AddSurvey,
})

function AddSurvey() {
  const { project } = Route.useSearch()
  if (!project) return <NewSurvey project={undefined} />
  return <ChosenProject id={project}>{(chosen) => <NewSurvey key={project} project={chosen} />}</ChosenProject>
}
