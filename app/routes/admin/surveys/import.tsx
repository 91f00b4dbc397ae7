import { createFileRoute } from '@tanstack/react-router'
import { ImportSurvey } from '#app/features/surveys/admin/entry/ImportSurvey.tsx'
import { surveyProjectsQuery } from '#app/features/surveys/surveys.queries.ts'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/surveys/import')({
  staticData: { namespaces: ['survey-admin', 'survey-data'] },
  validateSearch: ({ project }: Record<string, unknown>): { project?: string } => omitUndefined({ project: readTextParam(project, 36) }),
  loader: ({ context }) => context.queryClient.ensureQueryData(surveyProjectsQuery),
  component: () => <ImportSurvey project={Route.useSearch().project} />,
})
