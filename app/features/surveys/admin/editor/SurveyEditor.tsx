import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { faultTitle } from '#app/lib/fault-title.ts'
import type { Language } from '#app/lib/languages.ts'
import { inLanguage } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { SaveBar, type SaveState } from '#app/ui/admin/save-bar.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { surveyQuery, surveyVersionsQuery } from '../../surveys.queries.ts'
import type { QuestionType } from '../../surveys.schema.ts'
import { blankQuestion } from '../question-types/registry.ts'
import { SurveyHeader } from '../SurveyHeader.tsx'
import { ConflictNotice } from './ConflictNotice.tsx'
import {
  addPage,
  addQuestion,
  changePage,
  changeQuestion,
  duplicatePage,
  duplicateQuestion,
  findQuestion,
  newKeptId,
  removePage,
  removeQuestion,
} from './definition-edits.ts'
import { faultsOf, type PlacedFault, placeFault } from './draft-faults.ts'
import { FaultList } from './FaultList.tsx'
import { Outline } from './Outline.tsx'
import { PageForm } from './PageForm.tsx'
import { PublishSurvey } from './PublishSurvey.tsx'
import { QuestionForm } from './QuestionForm.tsx'
import { SurveyMenu } from './SurveyMenu.tsx'
import { SurveySettings } from './SurveySettings.tsx'
import { useSurveyDraft } from './use-survey-draft.ts'

/** Everything of one survey that can be edited: its outline, the question in hand, its texts and rules. */
export function SurveyEditor({ id, part }: { id: string; part: 'questions' | 'settings' }) {
  const { t } = useTranslation('survey-admin')
  const { t: errors } = useTranslation('errors')
  const { languages, locale } = useSite()
  const reading = useLanguage()
  const navigate = useNavigate()
  const document = useSuspenseQuery(surveyQuery(id)).data
  const versions = useSuspenseQuery(surveyVersionsQuery(id)).data
  const survey = document.data
  const editing = useSurveyDraft(survey, t('editor.leave'))
  const { draft, changeDefinition, conflict, refusal, changed } = editing
  const { definition } = draft
  const [selected, setSelected] = useState(definition.pages[0]?.questions[0]?.id ?? definition.pages[0]?.id)
  const [language, setLanguage] = useState<Language>(locale)
  const [told, setTold] = useState<PlacedFault>()
  const panel = useRef<HTMLElement>(null)

  const faults = faultsOf(draft, languages)
  const refused = refusal ? refusal.faults.map((fault) => placeFault(fault, draft)) : []
  const placed = selected === undefined ? undefined : findQuestion(definition, selected)
  const page = placed ? undefined : definition.pages.find((each) => each.id === selected)
  const answered =
    survey.responses > 0 && placed !== undefined && versions.some((version) => findQuestion(version.definition, placed.question.id))
  const promised = survey.responses > 0 || (survey.publishedVersion !== null && survey.state !== 'scheduled')

  /** What the server refused is told wherever it is; what our own check finds, once somebody was led to it. */
  const messageFor = (at: string | undefined) => (field: string) => {
    const shown = [...refused, ...faults.filter((each) => each.id === told?.id && each.field === told?.field)]
    const found = shown.find((each) => each.id === at && each.field === field)
    return found && errors(...faultTitle(found.fault))
  }
  const select = (next: string, focus = true) => {
    setSelected(next)
    if (focus) requestAnimationFrame(() => panel.current?.focus())
  }
  const go = (fault: PlacedFault) => {
    setTold(fault)
    if (fault.language) setLanguage(fault.language)
    if (fault.id) setSelected(fault.id)
    void navigate({ to: '/admin/surveys/$survey', params: { survey: id }, search: fault.pageNumber ? {} : { part: 'settings' } })
    setTimeout(() => window.document.getElementById(fault.field)?.focus(), 100)
  }
  const add = (type: QuestionType) => {
    const question = blankQuestion(type, newKeptId('q'))
    if (!question) return
    changeDefinition((now) => addQuestion(now, question, selected))
    setSelected(question.id)
    requestAnimationFrame(() => window.document.getElementById(`title.${language}`)?.focus())
  }
  const remove = (gone: string) => {
    const isPage = definition.pages.some((each) => each.id === gone)
    changeDefinition((now) => (isPage ? removePage(now, gone) : removeQuestion(now, gone)))
    showToast({ kind: 'info', text: t(isPage ? 'outline.removed-page' : 'outline.removed') })
    if (selected === gone) setSelected(definition.pages.find((each) => each.id !== gone)?.id)
  }
  const duplicate = (original: string) => {
    const isPage = definition.pages.some((each) => each.id === original)
    const copy = isPage ? duplicatePage(definition, original) : duplicateQuestion(definition, original)
    changeDefinition(() => copy.definition)
    select(copy.id, false)
  }
  const press = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    const step = key === 'z' ? (event.shiftKey ? editing.redo : editing.undo) : key === 'y' ? editing.redo : undefined
    if (step) {
      event.preventDefault()
      step()
    }
  }
  const state: SaveState = conflict
    ? 'conflict'
    : editing.saving
      ? 'saving'
      : refusal || editing.failed
        ? 'failed'
        : changed.length
          ? 'unsaved'
          : 'saved'

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears the keys of undo and redo from whatever has the focus within
    <div className="admin-stack" onKeyDown={press}>
      <SurveyHeader
        document={document}
        title={inLanguage(draft.titleTranslations, reading, locale)}
        actions={
          <>
            <SurveyMenu survey={survey} />
            {survey.meta.can.publish ? (
              (survey.publishedVersion === null || survey.hasChanges || changed.includes('definition')) && (
                <PublishSurvey survey={survey} editing={editing} faults={faults} onGo={go} />
              )
            ) : (
              <p className="meta">{t('publish.not-yours')}</p>
            )}
          </>
        }
      />
      {conflict && <ConflictNotice conflict={conflict} onMine={editing.keepMine} onTheirs={editing.takeTheirs} />}
      {!conflict && editing.joined && <Notice title={t('conflict.joined')} />}
      {refusal && refused.length > 0 && (
        <Notice kind="error" title={t('editor.refused')}>
          <FaultList faults={refused} definition={definition} onGo={go} />
        </Notice>
      )}
      {part === 'settings' ? (
        <SurveySettings
          survey={survey}
          draft={draft}
          change={editing.change}
          faults={faults}
          messageOf={messageFor(undefined)}
          language={language}
          onLanguage={setLanguage}
          promised={promised}
        />
      ) : (
        <div className="survey-editor">
          <Outline
            definition={definition}
            faults={faults}
            selected={selected}
            onSelect={(next) => {
              setSelected(next)
              // Where the form stands below the outline, the eye is led to it.
              if (window.matchMedia('(max-width: 52em)').matches) panel.current?.scrollIntoView({ block: 'start' })
            }}
            onReorder={changeDefinition}
            onAdd={add}
            onAddPage={() => {
              const added = addPage(definition, selected)
              changeDefinition(() => added.definition)
              select(added.id)
            }}
            onDuplicate={duplicate}
            onRemove={remove}
          />
          <section className="panel survey-question" ref={panel} tabIndex={-1} aria-label={t('editor.in-hand')}>
            {placed && (
              <QuestionForm
                key={placed.question.id}
                question={placed.question}
                change={(edit, key) => changeDefinition((now) => changeQuestion(now, placed.question.id, edit), key)}
                faults={faults.filter((each) => each.id === placed.question.id)}
                messageOf={messageFor(placed.question.id)}
                language={language}
                onLanguage={setLanguage}
                answered={answered}
              />
            )}
            {page && (
              <PageForm
                key={page.id}
                page={page}
                change={(edit, key) => changeDefinition((now) => changePage(now, page.id, edit), key)}
                faults={faults.filter((each) => each.id === page.id)}
                messageOf={messageFor(page.id)}
                language={language}
                onLanguage={setLanguage}
              />
            )}
            {!placed && !page && <EmptyState title={t('editor.none')}>{t('editor.none-text')}</EmptyState>}
          </section>
        </div>
      )}
      <SaveBar
        state={state}
        text={t(`save.${state}`)}
        actions={
          <>
            <Button type="button" kind="secondary" size="small" disabled={!editing.undo} onClick={() => editing.undo?.()}>
              <AdminIcon name="undo" />
              {t('editor.undo')}
            </Button>
            <Button type="button" kind="secondary" size="small" disabled={!editing.redo} onClick={() => editing.redo?.()}>
              {t('editor.redo')}
            </Button>
            {(state === 'failed' || state === 'unsaved') && (
              <Button type="button" size="small" onClick={editing.saveNow}>
                {t('editor.save-now')}
              </Button>
            )}
          </>
        }
      />
    </div>
  )
}
