import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ImportReport } from '#app/features/surveys/admin/entry/ImportReport.tsx'
import { SurveyHeader } from '#app/features/surveys/admin/SurveyHeader.tsx'
import { readImportReport } from '#app/features/surveys/import/import.functions.ts'
import { surveyQuery } from '#app/features/surveys/surveys.queries.ts'

export const Route = createFileRoute('/admin/surveys/$survey/import-report')({
  staticData: { namespaces: ['survey-admin', 'survey-data'] },
  loader: async ({ context, params }) => {
    const [report] = await Promise.all([
      readImportReport({ data: params }),
      context.queryClient.ensureQueryData(surveyQuery(params.survey)),
    ])
    return report
  },
  component: ImportReportPage,
})

function ImportReportPage() {
  const { survey } = Route.useParams()
  return (
    <>
      <SurveyHeader document={useSuspenseQuery(surveyQuery(survey)).data} />
      <ImportReport survey={survey} report={Route.useLoaderData()} />
    </>
  )
}
