import { createFileRoute } from '@tanstack/react-router'
import { SurveyTable } from '#app/features/surveys/admin/list/SurveyTable.tsx'
import { readSurveyTableSearch } from '#app/features/surveys/managing/survey-table-search.ts'
import { surveyTableQuery } from '#app/features/surveys/surveys.queries.ts'

export const Route = createFileRoute('/admin/surveys/')({
  staticData: { namespaces: ['survey-admin', 'survey-data'] },
  validateSearch: readSurveyTableSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => context.queryClient.ensureQueryData(surveyTableQuery(deps)),
  component: () => <SurveyTable search={Route.useSearch()} />,
})
