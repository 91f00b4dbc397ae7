import { createFileRoute, Link } from '@tanstack/react-router'
import { WaitingCrowds } from '#app/features/crowds/admin/WaitingCrowds.tsx'
import { SavedViews } from '#app/features/saved-views/admin/SavedViews.tsx'
import { formatViewQuery } from '#app/features/saved-views/saved-views.schema.ts'
import { ResponseTable } from '#app/features/surveys/admin/responses/ResponseTable.tsx'
import { readResponseTableSearch } from '#app/features/surveys/responses/response-table-search.ts'
import { responseTableQuery, surveyQuery, surveyVersionsQuery } from '#app/features/surveys/surveys.queries.ts'
import { parseSearchParams } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/surveys/$survey/responses/')({
  staticData: { namespaces: ['survey-admin', 'survey-data', 'survey', 'contributions-admin'] },
  validateSearch: readResponseTableSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    Promise.all([
      context.queryClient.ensureQueryData(surveyQuery(params.survey)),
      context.queryClient.ensureQueryData(surveyVersionsQuery(params.survey)),
      context.queryClient.ensureQueryData(responseTableQuery(params.survey, deps)),
    ]),
  component: Responses,
})

function Responses() {
  const { survey } = Route.useParams()
  const search = Route.useSearch()
  const views = (
    <SavedViews
      table="responses"
      survey={survey}
      shown={formatViewQuery(search)}
      link={(query, children, attributes) => (
        <Link
          to="/admin/surveys/$survey/responses"
          params={{ survey }}
          search={readResponseTableSearch(parseSearchParams(query))}
          activeOptions={{ exact: true }}
          {...attributes}
        >
          {children}
        </Link>
      )}
    />
  )
  return (
    <>
      <WaitingCrowds survey={survey} />
      <ResponseTable id={survey} search={search} views={views} />
    </>
  )
}
