import { createFileRoute } from '@tanstack/react-router'
import { ResponseTable } from '#app/features/surveys/admin/responses/ResponseTable.tsx'
import { readResponseTableSearch } from '#app/features/surveys/response-table-search.ts'
import { responseTableQuery, surveyQuery, surveyVersionsQuery } from '#app/features/surveys/surveys.queries.ts'

export const Route = createFileRoute('/admin/surveys/$survey/responses/')({
  staticData: { namespaces: ['survey-admin', 'survey-data', 'survey'] },
  validateSearch: readResponseTableSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    Promise.all([
      context.queryClient.ensureQueryData(surveyQuery(params.survey)),
      context.queryClient.ensureQueryData(surveyVersionsQuery(params.survey)),
      context.queryClient.ensureQueryData(responseTableQuery(params.survey, deps)),
    ]),
  component: () => <ResponseTable id={Route.useParams().survey} search={Route.useSearch()} />,
})
