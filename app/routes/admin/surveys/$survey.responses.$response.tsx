import { createFileRoute } from '@tanstack/react-router'
import { ResponsePage } from '#app/features/surveys/admin/responses/ResponsePage.tsx'
import { responseQuery, surveyQuery, surveyVersionsQuery } from '#app/features/surveys/surveys.queries.ts'

export const Route = createFileRoute('/admin/surveys/$survey/responses/$response')({
  staticData: { namespaces: ['survey-admin', 'survey'] },
  loader: ({ context, params }) =>
    Promise.all([
      context.queryClient.ensureQueryData(surveyQuery(params.survey)),
      context.queryClient.ensureQueryData(surveyVersionsQuery(params.survey)),
      context.queryClient.ensureQueryData(responseQuery(params.response)),
    ]),
  component: () => <ResponsePage {...Route.useParams()} />,
})
