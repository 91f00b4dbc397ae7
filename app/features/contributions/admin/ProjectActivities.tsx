import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { activitiesQuery, forgetContributions, stagesQuery } from '../contributions.queries.ts'
import { isActivityKind, readActivitySettings } from '../kinds/kinds.ts'
import { ActivityLayers } from './ActivityLayers.tsx'
import type { ActivityDocument } from './activity/activity-draft.ts'
import { ActivityStatusButtons } from './activity/ActivityStatusButtons.tsx'
import { ActivityStatuses } from './ActivityStatuses.tsx'
import { EditStage, type StageDocument } from './EditStage.tsx'

interface ProjectActivitiesProps {
  project: string
  slug: string
  /** The codes and personal links of an activity for invited people. */
  renderInvitations: (activity: ActivityDocument) => ReactNode
}

/** The tab of a project's stages and activities. A stage is changed in a dialog, an activity on its own page. */
export function ProjectActivities({ project, slug, renderInvitations }: ProjectActivitiesProps) {
  const { t } = useTranslation('contributions-admin')
  const { t: common } = useTranslation()
  const stages = useQuery(stagesQuery(project))
  const activities = useQuery(activitiesQuery(project))
  if (stages.isError || activities.isError) return <Notice kind="error" title={t('common.load-failed')} />
  if (!stages.data || !activities.data) return <Skeleton label={common('loading')} lines={4} />
  return (
    <div className="admin-stack">
      <StageList project={project} stages={stages.data.data} />
      <ActivityList project={project} slug={slug} activities={activities.data.data} renderInvitations={renderInvitations} />
    </div>
  )
}

function StageList({ project, stages }: { project: string; stages: readonly StageDocument[] }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [editing, setEditing] = useState<StageDocument | 'new'>()
  const [leaving, setLeaving] = useState<StageDocument>()
  const remove = useMutation({
    mutationFn: (id: string) => api.remove('project-stages', id),
    onSettled: async () => {
      setLeaving(undefined)
      await forgetContributions(queryClient)
    },
  })
  return (
    <section className="admin-stack" aria-labelledby="stages-heading">
      <h2 id="stages-heading">{t('stages.title')}</h2>
      <p>{t('stages.about')}</p>
      {stages.length === 0 ? (
        <EmptyState title={t('stages.none')}>{t('stages.none-text')}</EmptyState>
      ) : (
        <ul className="admin-list">
          {stages.map((stage) => (
            <li key={stage.id} className="admin-panel">
              <span>
                <strong>{stage.title}</strong>
                <br />
                {format.date(stage.startsAt)} – {stage.endsAt ? format.date(stage.endsAt) : ''}
              </span>
              <span className="row">
                <Badge tone={stage.state === 'current' ? 'ok' : 'neutral'} hollow={stage.state === 'upcoming'}>
                  {t(`stage-states.${stage.state}`)}
                </Badge>
                <Button kind="plain" size="small" onClick={() => setEditing(stage)}>
                  {t('common.edit')}
                  <span className="visually-hidden"> {stage.title}</span>
                </Button>
                <Button kind="plain" size="small" onClick={() => setLeaving(stage)}>
                  {t('common.remove')}
                  <span className="visually-hidden"> {stage.title}</span>
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <Button kind="secondary" onClick={() => setEditing('new')}>
          {t('stages.add')}
        </Button>
      </div>
      {editing && (
        <EditStage
          key={editing === 'new' ? 'new' : editing.id}
          project={project}
          stage={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {leaving && (
        <ConfirmDialog
          title={t('common.confirm-remove', { name: leaving.title })}
          isOpen
          danger
          onClose={() => setLeaving(undefined)}
          onConfirm={() => remove.mutateAsync(leaving.id).then(undefined, () => undefined)}
          confirmLabel={t('common.remove')}
          cancelLabel={t('common.cancel')}
        >
          <p>{t('stages.remove-text')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

interface ActivityListProps {
  project: string
  slug: string
  activities: readonly ActivityDocument[]
  renderInvitations: ProjectActivitiesProps['renderInvitations']
}

/** Invitations open below the list, and take focus. */
const focusPanel = (panel: HTMLElement | null) => panel?.focus()

const isForInvited = ({ postAccess, reactAccess }: ActivityDocument) => postAccess === 'invited' || reactAccess === 'invited'

const hasAnswers = (activity: ActivityDocument) => isActivityKind(activity.kind) && readActivitySettings(activity).tools.answers

const hasMap = (activity: ActivityDocument) => isActivityKind(activity.kind) && readActivitySettings(activity).tools.places !== undefined

function ActivityList({ project, slug, activities, renderInvitations }: ActivityListProps) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [leaving, setLeaving] = useState<ActivityDocument>()
  const [layering, setLayering] = useState<ActivityDocument>()
  const [arranging, setArranging] = useState<ActivityDocument>()
  const [inviting, setInviting] = useState<string>()
  const invited = activities.find((activity) => activity.id === inviting && isForInvited(activity))
  const remove = useMutation({
    mutationFn: (id: string) => api.remove('activities', id),
    onSettled: async () => {
      setLeaving(undefined)
      await forgetContributions(queryClient)
    },
  })
  const removal = useEditorTexts(remove.error)
  return (
    <section className="admin-stack" aria-labelledby="activities-heading">
      <h2 id="activities-heading">{t('activities.title')}</h2>
      <p>{t('activities.about')}</p>
      {removal.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      {activities.length === 0 ? (
        <EmptyState title={t('activities.none')}>{t('activities.none-text')}</EmptyState>
      ) : (
        <ul className="admin-list">
          {activities.map((activity) => (
            <li key={activity.id} className="admin-panel">
              <span>
                <strong>{activity.title}</strong>
                <br />
                {isActivityKind(activity.kind) && t(`kind-names.${activity.kind}`)} · {t('activities.count')}
                {format.colon}
                {format.number(activity.contributions)}
                {activity.held ? ` · ${t('activities.held')}${format.colon}${format.number(activity.held)}` : ''}
              </span>
              <span className="row">
                <Badge tone={activity.status === 'published' ? 'ok' : 'neutral'} hollow={activity.status === 'draft'}>
                  {t(`status.${activity.status}`)}
                </Badge>
                {activity.hasChanges && (
                  <Badge tone="info" hollow>
                    {t('activity.has-changes')}
                  </Badge>
                )}
                <ActivityStatusButtons activity={activity} />
                {activity.meta.can.update && (
                  <Link
                    to="/admin/projects/$id/activities/$activity"
                    params={{ id: project, activity: activity.id }}
                    className={getButtonClass({ kind: 'plain', size: 'small' })}
                  >
                    {t('common.edit')}
                    <span className="visually-hidden"> {activity.title}</span>
                  </Link>
                )}
                {activity.meta.can.update && isForInvited(activity) && (
                  <Button
                    kind="plain"
                    size="small"
                    aria-expanded={inviting === activity.id}
                    onClick={() => setInviting(inviting === activity.id ? undefined : activity.id)}
                  >
                    {t('activities.invite')}
                    <span className="visually-hidden"> {activity.title}</span>
                  </Button>
                )}
                {activity.meta.can.update && hasAnswers(activity) && (
                  <Button kind="plain" size="small" onClick={() => setArranging(activity)}>
                    {t('statuses.title')}
                    <span className="visually-hidden"> {activity.title}</span>
                  </Button>
                )}
                {hasMap(activity) && activity.meta.can.update && (
                  <Button kind="plain" size="small" onClick={() => setLayering(activity)}>
                    {t('layers.title')}
                    <span className="visually-hidden"> {activity.title}</span>
                  </Button>
                )}
                {activity.meta.can.moderate && (
                  <Link
                    to="/admin/contributions/activities/$activity"
                    params={{ activity: activity.id }}
                    className={getButtonClass({ kind: 'plain', size: 'small' })}
                  >
                    {t('results.see')}
                    <span className="visually-hidden"> {activity.title}</span>
                  </Link>
                )}
                {activity.meta.can.remove && (
                  <Button kind="plain" size="small" onClick={() => setLeaving(activity)}>
                    {t('common.remove')}
                    <span className="visually-hidden"> {activity.title}</span>
                  </Button>
                )}
                <a
                  href={toLocalHref(`/projects/${slug}/${activity.slug}`)}
                  target="_blank"
                  rel="noreferrer"
                  className={getButtonClass({ kind: 'plain', size: 'small' })}
                >
                  {t('activities.see')}
                  <span className="visually-hidden"> {activity.title}</span>
                </a>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <Link to="/admin/projects/$id/activities/new" params={{ id: project }} className={getButtonClass({ kind: 'secondary' })}>
          {t('activities.add')}
        </Link>
      </div>
      {invited && (
        <div key={invited.id} ref={focusPanel} tabIndex={-1}>
          {renderInvitations(invited)}
        </div>
      )}
      {arranging && <ActivityStatuses activity={arranging} onClose={() => setArranging(undefined)} />}
      {layering && <ActivityLayers activity={layering} onClose={() => setLayering(undefined)} />}
      {leaving && (
        <ConfirmDialog
          title={t('common.confirm-remove', { name: leaving.title })}
          isOpen
          danger
          onClose={() => setLeaving(undefined)}
          onConfirm={() => remove.mutateAsync(leaving.id).then(undefined, () => undefined)}
          confirmLabel={t('common.remove')}
          cancelLabel={t('common.cancel')}
        />
      )}
    </section>
  )
}
