import { createFileRoute } from '@tanstack/react-router'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { NewSurvey } from '#app/features/surveys/admin/list/NewSurvey.tsx'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'
import { ChosenProject } from './-chosen-project.tsx'

export const Route = createFileRoute('/admin/surveys/new')({
  staticData: { namespaces: ['survey-admin'] },
  validateSearch: ({ project }: Record<string, unknown>): { project?: string } => omitUndefined({ project: readTextParam(project, 36) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { project } }) => (project ? queryClient.ensureQueryData(projectQuery(project)) : undefined),
  component: AddSurvey,
})

function AddSurvey() {
  const { project } = Route.useSearch()
  if (!project) return <NewSurvey project={undefined} />
  return <ChosenProject id={project}>{(chosen) => <NewSurvey key={project} project={chosen} />}</ChosenProject>
}
