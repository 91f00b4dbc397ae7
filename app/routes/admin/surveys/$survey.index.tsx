import { createFileRoute } from '@tanstack/react-router'
import { SurveyPreviewPane } from '#app/features/live-preview/admin/SurveyPreviewPane.tsx'
import type { Compare } from '#app/features/revisions/admin/ConflictNotice.tsx'
import { HistoryDialog } from '#app/features/revisions/admin/HistoryDialog.tsx'
import { Presence } from '#app/features/revisions/admin/Presence.tsx'
import { SurveyEditor } from '#app/features/surveys/admin/editor/SurveyEditor.tsx'
import { DefinitionDifferences } from '#app/features/surveys/admin/editor/DefinitionDifferences.tsx'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { surveyQuery, surveyReviewQuery, surveyVersionsQuery } from '#app/features/surveys/surveys.queries.ts'
import { CommentsButton } from '#app/features/teamwork/admin/CommentsButton.tsx'
import { VerificationFields } from '#app/features/verifications/admin/VerificationFields.tsx'
import { readChoiceParam, omitUndefined } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/surveys/$survey/')({
  staticData: {
    namespaces: ['survey-access', 'survey-admin', 'survey', 'editor', 'plain-words', 'verifications', 'verifications-admin', 'teamwork'],
  },
  validateSearch: ({ part }: Record<string, unknown>): { part?: 'map' | 'settings' } =>
    omitUndefined({ part: readChoiceParam(part, ['map', 'settings']) }),
  loader: ({ context, params }) =>
    Promise.all([
      context.queryClient.ensureQueryData(surveyQuery(params.survey)),
      context.queryClient.ensureQueryData(surveyVersionsQuery(params.survey)),
      context.queryClient.fetchQuery(surveyReviewQuery(params.survey)),
    ]),
  component: Survey,
})

function Survey() {
  const { survey } = Route.useParams()
  const { part } = Route.useSearch()
  const place = { subject: 'survey', placeId: survey } as const
  return (
    <SurveyEditor
      key={survey}
      id={survey}
      part={part ?? 'questions'}
      renderVerification={(fields) => <VerificationFields {...fields} />}
      renderPresence={(draft) => <Presence place={place} draft={draft} />}
      comments={<CommentsButton kind="survey" id={survey} />}
      renderHistory={(input) => (
        <HistoryDialog place={place} read={readDefinition} compare={renderComparison} onPublish={undefined} {...input} />
      )}
      preview={(input) => <SurveyPreviewPane surveyId={survey} {...input} />}
    />
  )
}

const readDefinition = (stored: unknown) => stored as Definition

const renderComparison: Compare<Definition> = (before, after, labels) => (
  <DefinitionDifferences before={before} after={after} labels={labels} />
)
