import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { getFormatter } from '#app/lib/format.ts'
import { groupFaultsByField } from '#app/lib/validate.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { SaveBar, type SaveState } from '#app/ui/admin/save-bar.tsx'
import { Tabs } from '#app/ui/admin/tabs.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { projectQuery } from '../projects.queries.ts'
import { ProjectDocuments } from '../documents/admin/ProjectDocuments.tsx'
import { ProjectMembers } from '../members/admin/ProjectMembers.tsx'
import { ProjectActions } from './ProjectActions.tsx'
import { ProjectFaqs } from './ProjectFaqs.tsx'
import { ProjectKeyDates } from './ProjectKeyDates.tsx'
import { ProjectPeople } from './ProjectPeople.tsx'
import { ProjectSettings } from './ProjectSettings.tsx'
import { ProjectTexts } from './ProjectTexts.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { useProjectDraft } from './use-project-draft.ts'

interface ProjectEditorProps {
  id: string
  areas: ReactNode
  /** Stages and activities. */
  activities: ReactNode
  surveys: ReactNode
  /** Links that show the project to somebody before it is published. */
  share: ReactNode
  reach: ReactNode
}

/** Everything that can be edited in a project, with its actions. */
export function ProjectEditor({ id, areas, activities, surveys, share, reach }: ProjectEditorProps) {
  const { t } = useTranslation('admin')
  const { t: errors } = useTranslation('errors')
  const { listFaults } = useFaultTexts()
  const site = useSite()
  const format = getFormatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const { data: project } = useSuspenseQuery(projectQuery(id)).data
  const editing = useProjectDraft(project)
  const { draft, change, changed, save, saving, error, failed, theirs } = editing
  const may = project.meta.can
  const faults = error ? groupFaultsByField(error.faults) : {}
  const messageOf = (field: string) => {
    const fault = faults[field]
    return fault && errors(...toFaultTitle(fault))
  }
  const state: SaveState = theirs ? 'conflict' : saving ? 'saving' : failed ? 'failed' : changed.length ? 'unsaved' : 'saved'

  return (
    <form
      noValidate
      className="admin-stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (changed.length) save()
      }}
    >
      <p id="leave-question" hidden>
        {t('editor.leave')}
      </p>
      <PageHeader
        title={project.title}
        status={<StatusBadge status={project.status} />}
        meta={t('editor.changed', { when: format.dateTime(project.updatedAt) })}
        actions={
          <>
            <Link to="/admin/projects/$id/updates" params={{ id }} className={getButtonClass({ kind: 'secondary' })}>
              {t('editor.updates')}
            </Link>
            {may.update && share}
            <Link to="/projects/$slug" params={{ slug: project.slug }} target="_blank" className={getButtonClass({ kind: 'secondary' })}>
              {t('editor.see')}
            </Link>
            <ProjectActions project={project} unsaved={changed.length > 0} />
          </>
        }
      />
      {failed && error && error.code !== 'stale' && <ErrorSummary title={t('editor.problem')} errors={listFaults(error)} />}
      {theirs && (
        <Notice kind="warning" title={t('editor.conflict')}>
          <p>{t('editor.conflict-text')}</p>
          <dl className="definitions">
            {changed
              .filter((name) => JSON.stringify(theirs[name]) !== JSON.stringify(draft[name]))
              .map((name) => (
                <div key={name}>
                  <dt>{t(`fields.${name}`)}</dt>
                  <dd>
                    {t('editor.yours')}: {formatDraftValue(draft[name])}
                  </dd>
                  <dd>
                    {t('editor.theirs')}: {formatDraftValue(theirs[name])}
                  </dd>
                </div>
              ))}
          </dl>
          <div className="row">
            <Button kind="secondary" size="small" onClick={editing.takeTheirs}>
              {t('editor.take-theirs')}
            </Button>
            <Button size="small" onClick={editing.keepMine}>
              {t('editor.keep-mine')}
            </Button>
          </div>
        </Notice>
      )}
      <Tabs
        label={t('editor.parts')}
        tabs={[
          { id: 'texts', title: t('editor.texts'), content: <ProjectTexts draft={draft} change={change} messageOf={messageOf} /> },
          {
            id: 'settings',
            title: t('editor.settings'),
            content: <ProjectSettings draft={draft} change={change} messageOf={messageOf} mayMove={may.publish} />,
          },
          {
            id: 'dates',
            title: t('editor.dates'),
            content: <ProjectKeyDates dates={draft.dates} onChange={(dates) => change({ dates })} messageOf={messageOf} />,
          },
          {
            id: 'people',
            title: t('editor.people'),
            content: <ProjectPeople draft={draft} change={change} messageOf={messageOf} />,
          },
          ...(may.update ? [{ id: 'documents', title: t('documents.title'), content: <ProjectDocuments project={id} /> }] : []),
          ...(may.manageMembers
            ? [
                {
                  id: 'members',
                  title: t('editor.members'),
                  content: <ProjectMembers project={id} needed={project.visibility === 'members'} />,
                },
              ]
            : []),
          { id: 'faqs', title: t('fields.faqs'), content: <ProjectFaqs faqs={draft.faqs} onChange={(faqs) => change({ faqs })} /> },
          { id: 'areas', title: t('editor.areas'), content: areas },
          { id: 'activities', title: t('editor.activities'), content: activities },
          { id: 'surveys', title: t('nav.surveys'), content: surveys },
          { id: 'reach', title: t('nav.reach'), content: reach },
        ]}
      />
      {may.update && (
        <SaveBar
          state={state}
          text={t(`save.${state}`, { count: changed.length })}
          actions={
            <Button type="submit" pending={saving} disabled={!changed.length || Boolean(theirs)}>
              {t('save.save')}
            </Button>
          }
        />
      )}
    </form>
  )
}

/** A draft value on one line, for comparing two versions. */
function formatDraftValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'object') return Object.values(value).map(formatDraftValue).join(' · ').slice(0, 400)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
