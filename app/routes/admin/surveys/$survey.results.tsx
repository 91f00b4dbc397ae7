import { createFileRoute } from '@tanstack/react-router'
import { WaitingCrowds } from '#app/features/crowds/admin/WaitingCrowds.tsx'
import { SurveyResults } from '#app/features/surveys/admin/responses/SurveyResults.tsx'
import { readResponseTableSearch } from '#app/features/surveys/responses/response-table-search.ts'
import { surveyQuery, surveyResultsQuery, surveyVersionsQuery } from '#app/features/surveys/surveys.queries.ts'

export const Route = createFileRoute('/admin/surveys/$survey/results')({
  staticData: { namespaces: ['survey-admin', 'survey-data', 'survey', 'contributions-admin', 'populations'] },
  validateSearch: readResponseTableSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    Promise.all([
      context.queryClient.ensureQueryData(surveyQuery(params.survey)),
      context.queryClient.ensureQueryData(surveyVersionsQuery(params.survey)),
      context.queryClient.ensureQueryData(surveyResultsQuery(params.survey, deps)),
    ]),
  component: Results,
})

function Results() {
  const { survey } = Route.useParams()
  return (
    <>
      <WaitingCrowds survey={survey} />
      <SurveyResults id={survey} search={Route.useSearch()} />
    </>
  )
}
