import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PlaceOnMap } from '#app/features/areas/admin/PlaceOnMap.tsx'
import { ProjectAreas } from '#app/features/areas/admin/ProjectAreas.tsx'
import { ProjectBudgets } from '#app/features/budgets/admin/ProjectBudgets.tsx'
import { EntryLine } from '#app/features/calendar/admin/EntryLine.tsx'
import type { CalendarEntry } from '#app/features/calendar/calendar.schema.ts'
import { ProjectCockpit } from '#app/features/cockpit/admin/ProjectCockpit.tsx'
import type { ShownSurvey } from '#app/features/cockpit/admin/ToolTable.tsx'
import type { ActivityDocument } from '#app/features/contributions/admin/activity/activity-draft.ts'
import { ProjectActivities } from '#app/features/contributions/admin/ProjectActivities.tsx'
import { ProjectEvents } from '#app/features/events/admin/ProjectEvents.tsx'
import { ReadOnlyPreview } from '#app/features/live-preview/admin/ReadOnlyPreview.tsx'
import { ContentDifferences } from '#app/features/projects/admin/ContentDifferences.tsx'
import { type Project, PROJECT_DRAFT, useMissingProjectTexts } from '#app/features/projects/admin/project-draft.ts'
import { ProjectEditor } from '#app/features/projects/admin/ProjectEditor.tsx'
import type { RenderPlaceMap } from '#app/features/projects/admin/ProjectPeople.tsx'
import { ReadOnlyProject } from '#app/features/projects/admin/ReadOnlyProject.tsx'
import { ProjectRetention } from '#app/features/people/retention/admin/ProjectRetention.tsx'
import { projectRetentionQuery } from '#app/features/people/retention/retention.queries.ts'
import { isProjectShown, type ProjectContent, readProjectContent } from '#app/features/projects/project-content.schema.ts'
import { forgetProject, projectTopicsQuery, projectQuery } from '#app/features/projects/projects.queries.ts'
import { ProjectReviewNotice } from '#app/features/projects/reviews/admin/ProjectReviewNotice.tsx'
import { projectReviewQuery } from '#app/features/projects/reviews/project-reviews.queries.ts'
import { ReachSummary } from '#app/features/reach/admin/ReachSummary.tsx'
import { type Compare, ConflictNotice } from '#app/features/revisions/admin/ConflictNotice.tsx'
import { DraftStatus } from '#app/features/revisions/admin/DraftStatus.tsx'
import { Presence } from '#app/features/revisions/admin/Presence.tsx'
import { RevisionTools } from '#app/features/revisions/admin/RevisionTools.tsx'
import { useRevisionDraft } from '#app/features/revisions/admin/use-revision-draft.ts'
import { draftQuery } from '#app/features/revisions/revisions.queries.ts'
import { InvitationsPanel } from '#app/features/surveys/admin/access/InvitationsPanel.tsx'
import { SurveyStatus } from '#app/features/surveys/admin/SurveyStatus.tsx'
import { CommentsButton } from '#app/features/teamwork/admin/CommentsButton.tsx'
import { ProjectDuties } from '#app/features/consultation-duties/admin/ProjectDuties.tsx'
import { projectDutiesQuery } from '#app/features/consultation-duties/duties.queries.ts'
import { ProjectSurveys } from '#app/features/surveys/admin/list/ProjectSurveys.tsx'
import type { ContentLanguage } from '#app/lib/languages.ts'

export const Route = createFileRoute('/admin/projects/$id')({
  staticData: {
    namespaces: [
      'areas-admin',
      'calendar',
      'cockpit',
      'reach',
      'survey-admin',
      'city-admin',
      'people',
      'editor',
      'contributions-admin',
      'budgets-admin',
      'events-admin',
      'survey-access',
      'privacy',
      'plain-words',
      'duties',
      'teamwork',
    ],
  },
  loader: async ({ context: { queryClient }, params }) => {
    const [{ data: project }] = await Promise.all([
      queryClient.ensureQueryData(projectQuery(params.id)),
      queryClient.ensureQueryData(projectTopicsQuery),
    ])
    if (!project.meta.can.update) return
    await Promise.all([
      queryClient.fetchQuery(draftQuery(toPlace(params.id))),
      queryClient.fetchQuery(projectRetentionQuery(params.id)),
      queryClient.fetchQuery(projectDutiesQuery(params.id)),
      queryClient.fetchQuery(projectReviewQuery(params.id)),
    ])
  },
  component: ProjectRoute,
})

const toPlace = (id: string) => ({ subject: 'project', placeId: id }) as const

function ProjectRoute() {
  const { id } = Route.useParams()
  const { data: document } = useSuspenseQuery(projectQuery(id))
  if (!document.data.meta.can.update) return <ReadOnlyProject document={document} />
  return <EditedProject key={id} project={document.data} />
}

function EditedProject({ project }: { project: Project }) {
  const { id, slug } = project
  const place = toPlace(id)
  const { data: saved } = useSuspenseQuery(draftQuery(place))
  const duties = useSuspenseQuery(projectDutiesQuery(id)).data.data[0]
  // Computed once: from then on the editor holds the current state.
  const [first] = useState(() => ({ id: saved?.id ?? null, content: readProjectContent(saved?.content ?? project) }))
  const draft = useRevisionDraft(place, first, PROJECT_DRAFT)
  useFreshProject(id, draft.base.id)
  const missingOf = useMissingProjectTexts()
  const { t: editor } = useTranslation('editor')
  const { publish, requestReview } = project.meta.can
  const live = isProjectShown(project.status) ? { content: readProjectContent(project), mustAsk: !publish && requestReview } : null
  const differences =
    live && renderComparison(live.content, draft.content, { before: editor('compare.public'), after: editor('compare.draft') })
  return (
    <ProjectEditor
      id={id}
      draft={draft}
      status={
        <DraftStatus draft={draft}>
          <Presence place={place} draft={draft} />
        </DraftStatus>
      }
      comments={<CommentsButton kind="project" id={id} />}
      conflict={<ConflictNotice draft={draft} compare={renderComparison} />}
      tools={
        <RevisionTools place={place} draft={draft} kind={PROJECT_DRAFT} compare={renderComparison} missingOf={missingOf} live={live} />
      }
      preview={(content, language) => <Preview slug={slug} content={content} language={language} />}
      overview={<ProjectCockpit project={id} renderEntry={renderEntry} renderSurveyStatus={renderSurveyStatus} />}
      areas={<ProjectAreas project={id} />}
      renderPlaceMap={renderPlaceMap}
      activities={
        <div className="admin-stack">
          <ProjectActivities project={id} slug={slug} renderInvitations={renderInvitations} />
          <ProjectBudgets project={id} />
          <ProjectEvents project={id} />
        </div>
      }
      surveys={<ProjectSurveys project={id} />}
      reach={<ReachSummary place={{ kind: 'project', id }} />}
      review={<ProjectReviewNotice project={id} differences={differences} />}
      retention={<ProjectRetention project={id} />}
      duties={duties && <ProjectDuties duties={duties} />}
    />
  )
}

const renderEntry = (entry: CalendarEntry) => <EntryLine entry={entry} withDay />

const renderSurveyStatus = ({ hasChanges, ...survey }: ShownSurvey) => <SurveyStatus survey={survey} hasChanges={hasChanges === true} />

const renderPlaceMap: RenderPlaceMap = (map) => <PlaceOnMap {...map} />

const renderInvitations = ({ id, slug, title, state, meta }: ActivityDocument) => (
  <InvitationsPanel
    subject={{
      type: 'activities',
      id,
      slug,
      title,
      canInvite: meta.can.invite,
      isOpen: state !== 'preview' && state !== 'closed',
    }}
  />
)

/** Each saved version changes what lists and the header show of the project. */
function useFreshProject(id: string, revision: string | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (revision !== null) void forgetProject(queryClient, id)
  }, [queryClient, id, revision])
}

const renderComparison: Compare<ProjectContent> = (before, after, labels) => (
  <ContentDifferences before={before} after={after} labels={labels} />
)

function Preview({ slug, content, language }: { slug: string; content: ProjectContent; language: ContentLanguage }) {
  const tokens = useMemo(() => PROJECT_DRAFT.write(content), [content])
  return <ReadOnlyPreview path={`/live-preview/projects/${slug}`} tokens={tokens} language={language} />
}
