import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Draft } from '#app/shell/admin/drafts/draft.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { getFormatter } from '#app/lib/format.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { groupFaultsByField } from '#app/lib/validate.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Tabs } from '#app/ui/admin/tabs.tsx'
import { useKeptLanguage, useKeptTab } from '#app/ui/admin/use-kept-tab.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { projectQuery } from '../projects.queries.ts'
import { ProjectDocuments } from '../documents/admin/ProjectDocuments.tsx'
import { ProjectMembers } from '../members/admin/ProjectMembers.tsx'
import { isProjectShown, type ProjectContent } from '../project-content.schema.ts'
import { ProjectActions } from './ProjectActions.tsx'
import { ProjectFaqs } from './ProjectFaqs.tsx'
import { ProjectKeyDates } from './ProjectKeyDates.tsx'
import { ProjectPeople, type RenderPlaceMap } from './ProjectPeople.tsx'
import { ProjectTexts } from './ProjectTexts.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { useProjectSettings } from './use-project-settings.ts'

interface ProjectEditorProps {
  id: string
  draft: Draft<ProjectContent>
  /** Save state, and who else is editing. */
  status: ReactNode
  /** Opens what colleagues say about it. */
  comments: ReactNode
  /** Differences from another person's version. */
  conflict: ReactNode
  /** Version actions. */
  tools: ReactNode
  preview: (content: ProjectContent, language: ContentLanguage) => ReactNode
  /** Where the project stands, for those who may see what people answered. */
  overview: ReactNode
  areas: ReactNode
  renderPlaceMap: RenderPlaceMap
  /** Stages and activities. */
  activities: ReactNode
  surveys: ReactNode
  reach: ReactNode
  /** Who asked for a review, if somebody did. */
  review: ReactNode
  /** How long personal data is kept. */
  retention: ReactNode
  /** What the law asks of a consultation; null on a site that keeps no duties. */
  duties: ReactNode
}

/** Everything that can be edited in a project, with its actions. What it says is a draft that is saved while somebody types. */
export function ProjectEditor({
  id,
  draft,
  status,
  comments,
  conflict,
  tools,
  preview,
  overview,
  areas,
  renderPlaceMap,
  activities,
  surveys,
  reach,
  review,
  retention,
  duties,
}: ProjectEditorProps) {
  const { t } = useTranslation('admin')
  const { t: errors } = useTranslation('errors')
  const site = useSite()
  const reading = useLanguage()
  const format = getFormatter({ language: reading, timeZone: site.timeZone, region: site.region })
  const { data: project } = useSuspenseQuery(projectQuery(id)).data
  const [language, setLanguage] = useKeptLanguage(site.contentLanguages, site.locale)
  const [isPreview, setPreview] = useState(false)
  const editing = useProjectSettings(project)
  const { content, change: replace } = draft
  const change = (next: Partial<ProjectContent>) => replace((now) => ({ ...now, ...next }), Object.keys(next).join(' '))
  const may = project.meta.can
  const faults = groupFaultsByField(draft.problem && draft.problem !== 'offline' ? draft.problem.faults : [])
  const messageOf = (field: string) => {
    const fault = faults[`content.${field}`]
    return fault && errors(...toFaultTitle(fault))
  }
  const parts = { content, change, messageOf }
  const tabs = [
    { id: 'overview', title: t('editor.overview'), content: overview },
    {
      id: 'texts',
      title: t('editor.texts'),
      content: <ProjectTexts {...parts} language={language} onLanguage={setLanguage} />,
    },
    { id: 'surveys', title: t('nav.surveys'), content: surveys },
    { id: 'activities', title: t('editor.activities'), content: activities },
    { id: 'settings', title: t('editor.settings'), content: <SettingsForm editing={editing} mayMove={may.publish} /> },
    ...(duties ? [{ id: 'duties', title: t('editor.duties'), content: duties }] : []),
    { id: 'retention', title: t('editor.retention'), content: retention },
    {
      id: 'dates',
      title: t('editor.dates'),
      content: <ProjectKeyDates dates={content.dates} onChange={(dates) => change({ dates })} messageOf={messageOf} />,
    },
    { id: 'people', title: t('editor.people'), content: <ProjectPeople {...parts} renderMap={renderPlaceMap} /> },
    { id: 'documents', title: t('documents.title'), content: <ProjectDocuments project={id} /> },
    ...(may.manageMembers
      ? [
          {
            id: 'members',
            title: t('editor.members'),
            content: <ProjectMembers project={id} needed={project.visibility === 'members'} />,
          },
        ]
      : []),
    { id: 'faqs', title: t('fields.faqs'), content: <ProjectFaqs faqs={content.faqs} onChange={(faqs) => change({ faqs })} /> },
    { id: 'areas', title: t('editor.areas'), content: areas },
    { id: 'reach', title: t('nav.reach'), content: reach },
  ]
  // Who opens a draft goes on writing it.
  const [tab, selectTab] = useKeptTab(
    tabs.map(({ id: part }) => part),
    isProjectShown(project.status) ? 'overview' : 'texts',
  )
  return (
    <div className="admin-stack">
      <PageHeader
        title={getTranslation(content.titleTranslations, reading, site.locale) || project.title}
        status={
          <>
            <StatusBadge status={project.status} />
            {isProjectShown(project.status) && project.changes && (
              <Badge tone={project.changes === 'in_review' ? 'warn' : 'info'} hollow>
                {t(`changes.${project.changes}`)}
              </Badge>
            )}
          </>
        }
        meta={t('editor.changed', { when: format.dateTime(project.updatedAt) })}
        actions={
          <>
            {comments}
            <Link to="/admin/projects/$id/updates" params={{ id }} className={getButtonClass({ kind: 'secondary' })}>
              {t('editor.updates')}
            </Link>
            <Link to="/admin/projects/$id/heard" params={{ id }} className={getButtonClass({ kind: 'secondary' })}>
              {t('editor.heard')}
            </Link>
            <Button kind="secondary" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
              {t(isPreview ? 'editor.hide-preview' : 'editor.preview')}
            </Button>
            <Link to="/projects/$slug" params={{ slug: project.slug }} target="_blank" className={getButtonClass({ kind: 'secondary' })}>
              {t('editor.see')}
            </Link>
            <ProjectActions project={project} content={content} unsaved={draft.isChanged || editing.changed.length > 0} />
          </>
        }
      />
      {review}
      {draft.conflict && conflict}
      <div className={isPreview ? 'project-editing project-editing-previewed' : 'project-editing'}>
        <Tabs label={t('editor.parts')} tabs={tabs} selected={tab ?? ''} onSelect={selectTab} />
        {isPreview && preview(content, language)}
      </div>
      <div className="project-bar">
        <div>{status}</div>
        {tools}
      </div>
    </div>
  )
}
