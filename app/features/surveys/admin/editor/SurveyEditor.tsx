import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { type DraftState, getDraftState } from '#app/shell/admin/drafts/draft.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { SaveBar } from '#app/ui/admin/save-bar.tsx'
import { useKeptLanguage } from '#app/ui/admin/use-kept-tab.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { surveyQuery, surveyReviewQuery, surveyVersionsQuery } from '../../surveys.queries.ts'
import type { Condition } from '../../questionnaire/conditions.schema.ts'
import type { Definition, Question, QuestionType } from '../../surveys.schema.ts'
import { createBlankQuestion } from '../question-types/registry.ts'
import { SurveyHeader } from '../SurveyHeader.tsx'
import { SurveyConflict } from './SurveyConflict.tsx'
import {
  addPage,
  addQuestion,
  duplicatePage,
  duplicateQuestion,
  findQuestion,
  createItemId,
  removePage,
  removeQuestion,
} from './definition-edits.ts'
import { listDraftFaults, LOGIC_FAULTS, type PlacedFault, placeFault } from './draft-faults.ts'
import { FaultList } from './FaultList.tsx'
import { SelectionForm } from './SelectionForm.tsx'
import { listEveryQuestion, createTest } from './logic/condition-edits.ts'
import { EndingsAndQuotas } from './logic/EndingsAndQuotas.tsx'
import { addEnding, addQuota, type AddedPart } from './logic/logic-edits.ts'
import { LogicMap } from './map/LogicMap.tsx'
import { Outline } from './Outline.tsx'
import { PublishSurvey } from './PublishSurvey.tsx'
import { QuestionBank } from './QuestionBank.tsx'
import { SurveyMenu } from './SurveyMenu.tsx'
import { SurveyReviewNotice } from './SurveyReviewNotice.tsx'
import { SurveyPreview, type SurveyPreviewInput } from './SurveyPreview.tsx'
import { SurveySettings, type SurveySettingsProps } from './SurveySettings.tsx'
import { type SurveyEditing, useSurveyDraft } from './use-survey-draft.ts'

interface SurveyEditorProps {
  id: string
  part: 'questions' | 'map' | 'settings'
  renderVerification: SurveySettingsProps['renderVerification']
  /** Renders who else has this survey open. */
  renderPresence: (draft: SurveyEditing) => ReactNode
  /** Opens what colleagues say to each other about this survey. */
  comments: ReactNode
  /** Renders what was saved and published, from which something can be restored. */
  renderHistory: (input: SurveyHistoryInput) => ReactNode
  /** Renders the draft as participants will see it. */
  preview: (input: SurveyPreviewInput) => ReactNode
}

export interface SurveyHistoryInput {
  /** @param note names the version that was restored, for the history */
  onRestore: (definition: Definition, note: string) => void
  onClose: () => void
}

/** The editor of one survey: its outline, the selected question, its texts and rules. */
export function SurveyEditor({ id, part, renderVerification, renderPresence, comments, renderHistory, preview }: SurveyEditorProps) {
  const { t } = useTranslation('survey-admin')
  const { t: editor } = useTranslation('editor')
  const { t: errors } = useTranslation('errors')
  const { languages, contentLanguages, locale } = useSite()
  const format = useFormat()
  const reading = useLanguage()
  const navigate = useNavigate()
  const document = useSuspenseQuery(surveyQuery(id)).data
  const versions = useSuspenseQuery(surveyVersionsQuery(id)).data
  const survey = document.data
  const editing = useSurveyDraft(survey)
  const { content: draft, changeDefinition, conflict, changed } = editing
  const { definition } = draft
  const [selected, setSelected] = useState(definition.pages[0]?.questions[0]?.id ?? definition.pages[0]?.id)
  const [language, setLanguage] = useKeptLanguage(contentLanguages, locale)
  const [openedFault, setOpenedFault] = useState<PlacedFault>()
  const [banking, setBanking] = useState(false)
  const [showingHistory, setShowingHistory] = useState(false)
  const [previewing, setPreviewing] = useState(() => window.matchMedia(ROOM_FOR_PREVIEW).matches)
  const panel = useRef<HTMLElement>(null)

  // After what was typed is shown: thousands of options take a while to check.
  const checked = useDeferredValue(draft)
  const faults = useMemo(() => listDraftFaults(checked, languages), [checked, languages])
  const state = getDraftState(editing)
  const refused =
    editing.problem && editing.problem !== 'offline' && state === 'refused'
      ? editing.problem.faults.map((fault) => placeFault(fault, draft))
      : []
  const isPublished = (question: string) => versions.some((version) => findQuestion(version.definition, question) !== undefined)
  const project = findLinked(document, survey.relationships.project)
  const opensLater = survey.state === 'scheduled' && survey.opensAt !== null && survey.opensAt >= (project?.opensAt ?? '')
  const published = survey.publishedVersion === null ? undefined : versions[0]?.definition
  const hasChanges = survey.publishedVersion === null || survey.hasChanges === true || changed.includes('definition')
  const [review] = useSuspenseQuery(surveyReviewQuery(id)).data.data
  const isWaiting = review?.status === 'in_review'
  const promised = survey.responses > 0 || (survey.publishedVersion !== null && !opensLater)

  /** Server errors and logic faults always show; a missing text or option only after the user was sent to it. */
  const messageFor = (at: string | undefined) => (field: string) => {
    const wasLedTo = (each: PlacedFault) => each.id === openedFault?.id && each.field === openedFault?.field
    const shown = [...refused, ...faults.filter((each) => wasLedTo(each) || LOGIC_FAULTS.has(each.fault.code))]
    const found = shown.find((each) => each.id === at && each.field === field)
    return found && errors(...toFaultTitle(found.fault))
  }
  const select = (next: string, focus = true) => {
    setSelected(next)
    if (focus) requestAnimationFrame(() => panel.current?.focus())
  }
  const selectInOutline = (next: string) => {
    setSelected(next)
    // If the form is below the outline, scroll to it.
    if (window.matchMedia('(max-width: 52em)').matches) panel.current?.scrollIntoView({ block: 'start' })
  }
  const goToPart = (next: string) => {
    void navigate({ to: '/admin/surveys/$survey', params: { survey: id }, search: {} })
    select(next)
  }
  const goToFault = (fault: PlacedFault) => {
    setOpenedFault(fault)
    if (fault.language) setLanguage(fault.language)
    if (fault.id) setSelected(fault.id)
    void navigate({ to: '/admin/surveys/$survey', params: { survey: id }, search: fault.id ? {} : { part: 'settings' } })
    setTimeout(() => (findControl(`${fault.field}.${fault.language ?? language}`) ?? panel.current)?.focus(), 100)
  }
  const insertQuestion = (question: Question) => {
    changeDefinition((now) => addQuestion(now, question, selected))
    select(question.id)
  }
  const addNewQuestion = (type: QuestionType) => {
    // Demographic questions come from the bank, so that they are the same in every survey.
    if (type === 'demographic') return setBanking(true)
    const question = createBlankQuestion(type, createItemId('q'))
    if (!question) return
    changeDefinition((now) => addQuestion(now, question, selected))
    setSelected(question.id)
    requestAnimationFrame(() => window.document.getElementById(`title.${language}`)?.focus())
  }
  /** @returns the new part's id */
  const addPart = (edit: (definition: Definition) => AddedPart): string => {
    let id = ''
    // Of what was typed last: the outline may not have been drawn again since.
    changeDefinition((now) => {
      const added = edit(now)
      id = added.id
      return added.definition
    })
    return id
  }
  const addRule = (edit: (definition: Definition) => AddedPart) => select(addPart(edit))
  const removePart = (gone: string) => {
    const isPage = definition.pages.some((each) => each.id === gone)
    changeDefinition((now) => (isPage ? removePage(now, gone) : removeQuestion(now, gone)))
    showToast({ kind: 'info', text: t(isPage ? 'outline.removed-page' : 'outline.removed') })
    if (selected === gone) setSelected(definition.pages.find((each) => each.id !== gone)?.id)
  }
  const duplicatePart = (original: string) => {
    const isPage = definition.pages.some((each) => each.id === original)
    select(
      addPart((now) => (isPage ? duplicatePage(now, original) : duplicateQuestion(now, original))),
      false,
    )
  }
  const restore = (restored: Definition, note: string) => {
    setShowingHistory(false)
    if (isJsonEqual(restored, definition)) return showToast({ kind: 'info', text: t('history.same') })
    editing.restoreDefinition(restored, note)
    showToast({ text: note, action: { label: editor('undo'), onAction: editing.undo } })
  }
  const publishing = { survey, editing, faults, published, onGo: goToFault, onSelect: goToPart }
  const handleKey = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    const step = key === 'z' ? (event.shiftKey ? editing.redo : editing.undo) : key === 'y' ? editing.redo : undefined
    if (step) {
      event.preventDefault()
      step()
    }
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears the keys of undo and redo from whatever has the focus within
    <div className="admin-stack" onKeyDown={handleKey}>
      <SurveyHeader
        document={document}
        title={getTranslation(draft.titleTranslations, reading, locale)}
        actions={
          <>
            {part === 'questions' && (
              <Button type="button" kind="secondary" aria-pressed={previewing} onClick={() => setPreviewing(!previewing)}>
                {t('preview.toggle')}
              </Button>
            )}
            {comments}
            <SurveyMenu survey={survey} draft={draft} change={editing.changeFields} />
            {hasChanges && !isWaiting && <PublishSurvey asks {...publishing} />}
            {hasChanges && survey.meta.can.publish && <PublishSurvey {...publishing} />}
            {!survey.meta.can.publish && <p className="meta">{t('publish.not-yours')}</p>}
          </>
        }
      />
      {renderPresence(editing)}
      <SurveyReviewNotice survey={id} published={published} draft={definition} />
      <SurveyConflict draft={editing} />
      {editing.rescued && <Notice title={editor('state.rescued', { when: format.dateTime(editing.rescued) })} />}
      {!conflict && editing.merged && <Notice title={t('conflict.joined')} />}
      {refused.length > 0 && (
        <Notice kind="error" title={t('editor.refused')}>
          <FaultList faults={refused} definition={definition} onGo={goToFault} />
        </Notice>
      )}
      {part === 'settings' ? (
        <SurveySettings
          survey={survey}
          project={project}
          draft={draft}
          change={editing.changeFields}
          faults={faults}
          messageOf={messageFor(undefined)}
          language={language}
          onLanguage={setLanguage}
          promised={promised}
          renderVerification={renderVerification}
        />
      ) : part === 'map' ? (
        <LogicMap definition={definition} onSelect={goToPart} />
      ) : (
        <div className="survey-editor" data-previewing={previewing || undefined}>
          <div className="survey-side">
            <Outline
              definition={definition}
              faults={faults}
              selected={selected}
              onSelect={selectInOutline}
              onReorder={changeDefinition}
              onAdd={addNewQuestion}
              onBank={() => setBanking(true)}
              onAddPage={() => addRule((now) => addPage(now, selected))}
              onDuplicate={duplicatePart}
              onRemove={removePart}
            />
            <EndingsAndQuotas
              definition={definition}
              faults={faults}
              selected={selected}
              onSelect={selectInOutline}
              onAddEnding={() => addRule(addEnding)}
              onAddQuota={() => addRule((now) => addQuota(now, createFirstTest(now)))}
            />
          </div>
          <section className="panel survey-question" ref={panel} tabIndex={-1} aria-label={t('editor.in-hand')}>
            <SelectionForm
              surveyId={id}
              editing={editing}
              selected={selected}
              onSelect={select}
              faults={faults}
              messageFor={messageFor}
              language={language}
              onLanguage={setLanguage}
              isPublished={isPublished}
            />
          </section>
          {previewing && <SurveyPreview draft={draft} selected={selected} language={language} onSelect={setSelected} preview={preview} />}
        </div>
      )}
      {banking && (
        <QuestionBank
          onClose={() => setBanking(false)}
          onInsert={(question) => {
            setBanking(false)
            insertQuestion(question)
          }}
        />
      )}
      {showingHistory && renderHistory({ onRestore: restore, onClose: () => setShowingHistory(false) })}
      <SaveBar
        state={isFailure(state) ? 'failed' : state}
        text={isFailure(state) ? editor(`state.${state}`) : t(`save.${state}`)}
        actions={
          <>
            <Button type="button" kind="secondary" size="small" disabled={!editing.canUndo} onClick={editing.undo}>
              <AdminIcon name="undo" />
              <span className="save-bar-word">{editor('undo')}</span>
            </Button>
            <Button type="button" kind="secondary" size="small" disabled={!editing.canRedo} onClick={editing.redo}>
              <AdminIcon name="redo" />
              <span className="save-bar-word">{editor('redo')}</span>
            </Button>
            <Button type="button" kind="secondary" size="small" disabled={conflict !== undefined} onClick={() => setShowingHistory(true)}>
              <AdminIcon name="audit" />
              <span className="save-bar-word">{editor('history.open')}</span>
            </Button>
            {(isFailure(state) || state === 'unsaved') && (
              <Button type="button" size="small" onClick={() => void editing.save()}>
                {editor('state.again')}
              </Button>
            )}
          </>
        }
      />
    </div>
  )
}

const isFailure = (state: DraftState) => state === 'offline' || state === 'refused' || state === 'signed-out'

/** Wide enough for the preview to have its own column. */
const ROOM_FOR_PREVIEW = '(min-width: 76em)'

/** The control of a field, or its closest ancestor by path that can take the focus. */
function findControl(field: string): HTMLElement | undefined {
  const parts = field.split('.')
  for (let length = parts.length; length > 0; length -= 1) {
    const found = window.document.getElementById(parts.slice(0, length).join('.'))
    if (found) return found
  }
  return undefined
}

/** Initial condition of a new quota: the first question's answers, none selected yet. */
function createFirstTest(definition: Definition): Condition {
  const [first] = listEveryQuestion(definition)
  return first ? createTest(first) : { all: [] }
}
