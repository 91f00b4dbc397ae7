import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { SurveyAreas } from '#app/features/areas/admin/SurveyAreas.tsx'
import { OpenAnswers } from '#app/features/opencities/admin/OpenAnswers.tsx'
import { SurveyHeader } from '#app/features/surveys/admin/SurveyHeader.tsx'
import { surveyQuery } from '#app/features/surveys/surveys.queries.ts'

export const Route = createFileRoute('/admin/surveys/$survey/open-answers')({
  staticData: { namespaces: ['survey-admin', 'survey', 'city-admin'] },
  loader: ({ context, params }) => context.queryClient.ensureQueryData(surveyQuery(params.survey)),
  component: OpenAnswersPage,
})

function OpenAnswersPage() {
  const { survey } = Route.useParams()
  return (
    <>
      <SurveyHeader document={useSuspenseQuery(surveyQuery(survey)).data} />
      <SurveyAreas survey={survey} />
      <OpenAnswers survey={survey} />
    </>
  )
}
