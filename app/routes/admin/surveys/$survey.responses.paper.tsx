import { createFileRoute } from '@tanstack/react-router'
import { PaperEntry } from '#app/features/surveys/admin/entry/PaperEntry.tsx'
import { surveyQuery, surveyVersionsQuery } from '#app/features/surveys/surveys.queries.ts'

export const Route = createFileRoute('/admin/surveys/$survey/responses/paper')({
  staticData: { namespaces: ['survey-admin', 'survey-data', 'survey'] },
  loader: ({ context, params }) =>
    Promise.all([
      context.queryClient.ensureQueryData(surveyQuery(params.survey)),
      context.queryClient.ensureQueryData(surveyVersionsQuery(params.survey)),
    ]),
  component: () => <PaperEntry id={Route.useParams().survey} />,
})
