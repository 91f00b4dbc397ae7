import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  ACTIVITY_DRAFT,
  type ActivityDocument,
  toActivityContent,
  useMissingActivityTexts,
} from '#app/features/contributions/admin/activity/activity-draft.ts'
import { UncoveredByMap } from '#app/features/areas/admin/UncoveredAreas.tsx'
import { ActivityDifferences } from '#app/features/contributions/admin/activity/ActivityDifferences.tsx'
import { ActivityEditor, showMissing } from '#app/features/contributions/admin/activity/ActivityEditor.tsx'
import { ActivityReviewNotice } from '#app/features/contributions/admin/activity/ActivityReview.tsx'
import { ChangesOfOthers } from '#app/features/contributions/admin/activity/ChangesOfOthers.tsx'
import type { VerificationFieldsProps } from '#app/features/contributions/admin/activity/SettingInput.tsx'
import { activityQuery, activityReviewQuery, forgetContributions, stagesQuery } from '#app/features/contributions/contributions.queries.ts'
import { type ActivityKind, isActivityKind } from '#app/features/contributions/kinds/kinds.ts'
import { type ActivityContent, isActivityShown, readActivityContent } from '#app/features/contributions/record/activity-content.schema.ts'
import { ReadOnlyPreview } from '#app/features/live-preview/admin/ReadOnlyPreview.tsx'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { type Compare, ConflictNotice } from '#app/features/revisions/admin/ConflictNotice.tsx'
import { DraftStatus } from '#app/features/revisions/admin/DraftStatus.tsx'
import { Presence } from '#app/features/revisions/admin/Presence.tsx'
import { RevisionTools } from '#app/features/revisions/admin/RevisionTools.tsx'
import { useRevisionDraft } from '#app/features/revisions/admin/use-revision-draft.ts'
import { draftQuery } from '#app/features/revisions/revisions.queries.ts'
import { VerificationFields } from '#app/features/verifications/admin/VerificationFields.tsx'
import { CommentsButton } from '#app/features/teamwork/admin/CommentsButton.tsx'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'

export const Route = createFileRoute('/admin/projects/$id_/activities/$activity')({
  staticData: {
    namespaces: ['areas-admin', 'contributions-admin', 'editor', 'plain-words', 'verifications', 'verifications-admin', 'teamwork'],
  },
  loader: async ({ context: { queryClient }, params }) => {
    const [{ data: activity }] = await Promise.all([
      queryClient.ensureQueryData(activityQuery(params.activity)),
      queryClient.ensureQueryData(projectQuery(params.id)),
      queryClient.ensureQueryData(stagesQuery(params.id)),
    ])
    if (activity.relationships.project?.id !== params.id || !isActivityKind(activity.kind)) throw new AppError('not-found')
    if (!activity.meta.can.update) throw new AppError('forbidden')
    await Promise.all([
      queryClient.fetchQuery(draftQuery(toPlace(params.activity))),
      queryClient.fetchQuery(activityReviewQuery(params.activity)),
    ])
  },
  component: ActivityRoute,
})

const toPlace = (id: string) => ({ subject: 'activity', placeId: id }) as const

function ActivityRoute() {
  const { activity: id } = Route.useParams()
  const { data: activity } = useSuspenseQuery(activityQuery(id)).data
  return isActivityKind(activity.kind) && <EditedActivity key={id} activity={activity} kind={activity.kind} />
}

function EditedActivity({ activity, kind }: { activity: ActivityDocument; kind: ActivityKind }) {
  const { id: projectId } = Route.useParams()
  const { t } = useTranslation('editor')
  const { data: project } = useSuspenseQuery(projectQuery(projectId)).data
  const stages = useSuspenseQuery(stagesQuery(projectId)).data.data
  const place = toPlace(activity.id)
  const { data: saved } = useSuspenseQuery(draftQuery(place))
  // Computed once: from then on the editor holds the current state.
  const [first] = useState(() => ({
    id: saved?.id ?? null,
    content: saved ? readActivityContent(saved.content) : toActivityContent(activity),
  }))
  const draft = useRevisionDraft(place, first, ACTIVITY_DRAFT)
  useFreshActivity(draft.base.id)
  const missingOf = useMissingActivityTexts()
  const live = isActivityShown(activity.status) ? toActivityContent(activity) : null
  const renderComparison: Compare<ActivityContent> = (before, after, labels) => (
    <ActivityDifferences before={before} after={after} labels={labels} stages={stages} />
  )
  return (
    <ActivityEditor
      project={project}
      activity={activity}
      kind={kind}
      stages={stages}
      draft={draft}
      live={live}
      missing={missingOf(draft.content)}
      others={
        <>
          <ActivityReviewNotice
            activity={activity.id}
            differences={live && renderComparison(live, draft.content, { before: t('compare.public'), after: t('compare.draft') })}
          />
          <ChangesOfOthers draft={draft} stages={stages} choice={<ConflictNotice draft={draft} compare={renderComparison} />} />
        </>
      }
      status={
        <>
          <CommentsButton kind="activity" id={activity.id} />
          <DraftStatus draft={draft}>
            <Presence place={place} draft={draft} />
          </DraftStatus>
        </>
      }
      tools={
        <RevisionTools
          place={place}
          draft={draft}
          kind={ACTIVITY_DRAFT}
          compare={renderComparison}
          missingOf={missingOf}
          live={live && { content: live, mustAsk: false }}
          onShow={showMissing}
        />
      }
      preview={(language) => <Preview id={activity.id} content={draft.content} language={language} />}
      mapNotice={<UncoveredByMap />}
      renderVerification={renderVerification}
    />
  )
}

function Preview({ id, content, language }: { id: string; content: ActivityContent; language: ContentLanguage }) {
  const { t } = useTranslation('contributions-admin')
  const tokens = useMemo(() => ACTIVITY_DRAFT.write(content), [content])
  return (
    <ReadOnlyPreview
      path={`/live-preview/activities/${id}`}
      tokens={tokens}
      language={language}
      memberLabel={t('activity.moderator')}
      firstWidth="360"
    />
  )
}

const renderVerification = (fields: VerificationFieldsProps) => <VerificationFields {...fields} />

/** Each saved version changes what lists and the header show of the activity. */
function useFreshActivity(revision: string | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (revision !== null) void forgetContributions(queryClient)
  }, [queryClient, revision])
}
