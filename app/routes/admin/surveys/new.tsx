import { createFileRoute } from '@tanstack/react-router'
import { NewSurvey } from '#app/features/surveys/admin/list/NewSurvey.tsx'
import { copiedSurveysQuery, surveyProjectsQuery } from '#app/features/surveys/surveys.queries.ts'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/surveys/new')({
  staticData: { namespaces: ['survey-admin'] },
  validateSearch: ({ project }: Record<string, unknown>): { project?: string } => omitUndefined({ project: readTextParam(project, 36) }),
  loader: ({ context }) =>
    Promise.all([context.queryClient.ensureQueryData(surveyProjectsQuery), context.queryClient.ensureQueryData(copiedSurveysQuery)]),
  component: () => <NewSurvey project={Route.useSearch().project} />,
})
