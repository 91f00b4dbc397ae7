import { createFileRoute } from '@tanstack/react-router'
import { SurveyResults } from '#app/features/surveys/admin/responses/SurveyResults.tsx'
import { readResponseTableSearch } from '#app/features/surveys/responses/response-table-search.ts'
import { surveyQuery, surveyResultsQuery, surveyVersionsQuery } from '#app/features/surveys/surveys.queries.ts'

export const Route = createFileRoute('/admin/surveys/$survey/results')({
  staticData: { namespaces: ['survey-admin', 'survey-data', 'survey'] },
  validateSearch: readResponseTableSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    Promise.all([
      context.queryClient.ensureQueryData(surveyQuery(params.survey)),
      context.queryClient.ensureQueryData(surveyVersionsQuery(params.survey)),
      context.queryClient.ensureQueryData(surveyResultsQuery(params.survey, deps)),
    ]),
  component: () => <SurveyResults id={Route.useParams().survey} search={Route.useSearch()} />,
})
