import { Link } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MissingText } from '#app/features/revisions/draft.schema.ts'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Draft } from '#app/shell/admin/drafts/draft.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { showField } from '#app/ui/admin/show-field.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import type { SettingsSection } from '../../kinds/define-kind.ts'
import { type ActivityKind, getDefaultSettings } from '../../kinds/kinds.ts'
import { listSections, type SettingName } from '../../kinds/sections.ts'
import {
  type ActivityContent,
  getContentValue,
  listDifferences,
  readActivityContent,
  takeContentValue,
} from '../../record/activity-content.schema.ts'
import type { StageDocument } from '../EditStage.tsx'
import type { ActivityDocument } from './activity-draft.ts'
import { AskForActivityReview } from './ActivityReview.tsx'
import { ActivityStatusButtons, MapMissing } from './ActivityStatusButtons.tsx'
import { SettingInput, type VerificationFieldsProps } from './SettingInput.tsx'
import { useSettingWords } from './use-setting-words.ts'

interface ActivityEditorProps {
  project: { id: string; slug: string; title: string }
  activity: ActivityDocument
  kind: ActivityKind
  stages: readonly StageDocument[]
  draft: Draft<ActivityContent>
  /** The published content; null before the first publication. */
  live: ActivityContent | null
  /** Texts that it would be published without. */
  missing: readonly MissingText[]
  /** What others changed meanwhile. */
  others: ReactNode
  /** Save state, and who else is editing. */
  status: ReactNode
  /** Version actions. */
  tools: ReactNode
  preview: (language: ContentLanguage) => ReactNode
  /** What the map of places leaves out. */
  mapNotice: ReactNode
  renderVerification: (fields: VerificationFieldsProps) => ReactNode
}

/** All settings of an activity, in sections. Changes are saved as a draft while they are typed, and published by a button. */
export function ActivityEditor(props: ActivityEditorProps) {
  const { project, activity, kind, stages, draft, live, missing, others, status, tools, preview, mapNotice, renderVerification } = props
  const { t } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const language = useLanguage()
  const format = useFormat()
  const [isPreview, setPreview] = useState(false)
  const words = useEditorTexts(draft.problem === 'offline' ? undefined : draft.problem)
  const { nameSetting, describeValue } = useSettingWords(stages)
  const { content } = draft
  const defaults = getDefaultSettings(kind)
  const sections = listSections(kind)
  const save = async () => (await draft.save()) !== undefined
  const unpublished = new Set(live ? listDifferences(live, content) : [])
  const isMapMissing = activity.mapMissing === true
  const isIncomplete = (section: SettingsSection) =>
    (section === 'map' && isMapMissing) || missing.some(({ at }) => (section === 'texts' ? at?.includes('Translations') : at === section))
  const explain = (name: SettingName) => {
    const usual = findDefault(name, defaults)
    const hint = isExplainedHere(name) ? t(`activity.hints.${name}`) : ''
    return usual === undefined ? hint : `${hint} ${t('activity.default', { value: describeValue(name, usual) })}`
  }
  return (
    <div className="admin-stack">
      <PageHeader
        title={getTranslation(content.titleTranslations, language, site.locale) || activity.title}
        status={
          <>
            <Badge tone={activity.status === 'published' ? 'ok' : 'neutral'} hollow={activity.status === 'draft'}>
              {t(`status.${activity.status}`)}
            </Badge>
            {unpublished.size > 0 && (
              <Badge tone="info" hollow>
                {t('activity.changes', { count: unpublished.size, number: format.number(unpublished.size) })}
              </Badge>
            )}
          </>
        }
        meta={
          <Link to="/admin/projects/$id" params={{ id: project.id }} hash="activities">
            {project.title}
          </Link>
        }
        actions={
          <>
            <Button kind="secondary" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
              {admin(isPreview ? 'editor.hide-preview' : 'editor.preview')}
            </Button>
            <a
              href={toLocalHref(`/projects/${project.slug}/${activity.slug}`)}
              target="_blank"
              rel="noreferrer"
              className={getButtonClass({ kind: 'secondary' })}
            >
              {t('activities.see')}
            </a>
            {(live === null || unpublished.size > 0) && <AskForActivityReview activity={activity} save={save} />}
            <ActivityStatusButtons activity={activity} save={save} />
          </>
        }
      />
      {others}
      <div className={isPreview ? 'project-editing project-editing-previewed' : 'project-editing'}>
        <div className="activity-editing">
          <nav className="activity-sections" aria-label={t('activity.sections-label')}>
            <ul>
              {sections.map(({ section }) => (
                <li key={section} data-incomplete={isIncomplete(section) || undefined}>
                  <a href={`#${section}`} onClick={(event) => focusSection(event, section)}>
                    <Icon name={isIncomplete(section) ? 'warning' : 'check'} />
                    {t(`activity.sections.${section}`)}
                    {isIncomplete(section) && <span className="visually-hidden"> {t('activity.incomplete')}</span>}
                  </a>
                </li>
              ))}
            </ul>
            <p>{t(live ? 'activity.draft-of-changes' : 'activity.draft')}</p>
          </nav>
          <div className="admin-stack">
            {sections.map(({ section, names }) => (
              <section key={section} className="admin-panel admin-stack" aria-labelledby={section}>
                <h2 id={section} tabIndex={-1}>
                  {t(`activity.sections.${section}`)}
                </h2>
                {section === 'map' && (isMapMissing ? <MapMissing /> : mapNotice)}
                {names.map((name) => (
                  <div key={name} className="activity-setting">
                    <SettingInput
                      name={name}
                      content={content}
                      defaults={defaults}
                      stages={stages}
                      hasOpened={activity.hasOpened}
                      words={words}
                      nameSetting={nameSetting}
                      explain={explain}
                      onChange={(more) => draft.change((now) => ({ ...now, ...more }), name)}
                      renderVerification={renderVerification}
                    />
                    {live && unpublished.has(name) && (
                      <p className="activity-was">
                        <span>
                          {t('activity.was', {
                            setting: nameSetting(name),
                            value: describeValue(name, getContentValue(live, name)),
                          })}
                        </span>
                        <Button kind="plain" size="small" onClick={() => draft.change((now) => takeContentValue(now, name, live))}>
                          {t('activity.put-back')}
                          <span className="visually-hidden"> {nameSetting(name)}</span>
                        </Button>
                      </p>
                    )}
                  </div>
                ))}
              </section>
            ))}
          </div>
        </div>
        {isPreview && preview(language)}
      </div>
      <div className="project-bar">
        <div>{status}</div>
        {tools}
      </div>
    </div>
  )
}

/** These say themselves what they do. */
type SelfExplaining = 'groupId' | 'fields' | 'settings.verification'
const isExplainedHere = (name: SettingName): name is Exclude<SettingName, SelfExplaining> =>
  !['groupId', 'fields', 'settings.verification'].includes(name)

const EMPTY = readActivityContent(null)
/** What has a usual value that is worth saying. */
const WITH_DEFAULT: ReadonlySet<SettingName> = new Set(['postAccess', 'reactAccess', 'moderation'])

/** Undefined if it has none, or an empty one. */
function findDefault(name: SettingName, settings: Record<string, unknown>): unknown {
  if (!name.startsWith('settings.')) return WITH_DEFAULT.has(name) ? getContentValue(EMPTY, name) : undefined
  const usual = settings[name.slice('settings.'.length)]
  return isJsonEqual(usual, []) ? undefined : usual
}

/** Without a step in the browser's history: Back leaves the page. */
function focusSection(event: MouseEvent, section: string): void {
  event.preventDefault()
  focusElement(section)
}

function focusElement(id: string): void {
  const element = document.getElementById(id)
  element?.focus({ preventScroll: true })
  ;(element?.closest('.field') ?? element)?.scrollIntoView({ block: 'start' })
}

/** Shows the input of a text in its language, or the section that it stands in. */
export function showMissing(at: string): void {
  showField(at)
  focusElement(at)
}
