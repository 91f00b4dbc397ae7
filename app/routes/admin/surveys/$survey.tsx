import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { ReadOnlySurvey } from '#app/features/surveys/admin/ReadOnlySurvey.tsx'
import { surveyQuery } from '#app/features/surveys/surveys.queries.ts'

export const Route = createFileRoute('/admin/surveys/$survey')({
  staticData: { namespaces: ['survey-admin'] },
  loader: ({ context, params }) => context.queryClient.ensureQueryData(surveyQuery(params.survey)),
  component: Survey,
})

/** Everyone sees a published survey, and only those who administer its project see the pages about it. */
function Survey() {
  const { survey } = Route.useParams()
  const { data: document } = useSuspenseQuery(surveyQuery(survey))
  const { update, seeResponses } = document.data.meta.can
  return update || seeResponses ? <Outlet /> : <ReadOnlySurvey document={document} />
}
