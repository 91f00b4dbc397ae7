import { createFileRoute } from '@tanstack/react-router'
import { SurveyResults } from '#app/features/surveys/admin/responses/SurveyResults.tsx'
import { surveyQuery, surveyResultsQuery } from '#app/features/surveys/surveys.queries.ts'

export const Route = createFileRoute('/admin/surveys/$survey/results')({
  staticData: { namespaces: ['survey-admin', 'survey'] },
  loader: ({ context, params }) =>
    Promise.all([
      context.queryClient.ensureQueryData(surveyQuery(params.survey)),
      context.queryClient.ensureQueryData(surveyResultsQuery(params.survey)),
    ]),
  component: () => <SurveyResults id={Route.useParams().survey} />,
})
