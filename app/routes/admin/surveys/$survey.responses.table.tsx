import { createFileRoute } from '@tanstack/react-router'
import { ImportResponses } from '#app/features/surveys/admin/entry/ImportResponses.tsx'
import { surveyQuery, surveyVersionsQuery } from '#app/features/surveys/surveys.queries.ts'

export const Route = createFileRoute('/admin/surveys/$survey/responses/table')({
  staticData: { namespaces: ['survey-admin', 'survey-data', 'survey'] },
  loader: ({ context, params }) =>
    Promise.all([
      context.queryClient.ensureQueryData(surveyQuery(params.survey)),
      context.queryClient.ensureQueryData(surveyVersionsQuery(params.survey)),
    ]),
  component: () => <ImportResponses id={Route.useParams().survey} />,
})
