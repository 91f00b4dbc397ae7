import { useTranslation } from 'react-i18next'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { changePage, changeQuestion, findQuestion } from './definition-edits.ts'
import type { PlacedFault } from './draft-faults.ts'
import { listQuestionsBefore, listQuestionsBeforePage } from './logic/condition-edits.ts'
import { EndingForm } from './logic/EndingForm.tsx'
import { addEnding, changeEnding, changeQuota, removeEnding, removeQuota, splitQuota } from './logic/logic-edits.ts'
import { LogicSources } from './logic/logic-sources.ts'
import { QuotaForm } from './logic/QuotaForm.tsx'
import { KeepQuestion } from './KeepQuestion.tsx'
import { PageForm } from './PageForm.tsx'
import { QuestionForm } from './QuestionForm.tsx'
import type { SurveyEditing } from './use-survey-draft.ts'

interface SelectionFormProps {
  surveyId: string
  editing: SurveyEditing
  selected: string | undefined
  onSelect: (id: string) => void
  faults: readonly PlacedFault[]
  messageFor: (id: string) => (field: string) => string | undefined
  language: ContentLanguage
  onLanguage: (language: ContentLanguage) => void
  /** Whether a published version had this question. */
  isPublished: (questionId: string) => boolean
}

/** The form for the selected question, page, closing page or quota. */
export function SelectionForm({
  surveyId,
  editing,
  selected,
  onSelect,
  faults,
  messageFor,
  language,
  onLanguage,
  isPublished,
}: SelectionFormProps) {
  const { t } = useTranslation('survey-admin')
  const { changeDefinition } = editing
  const { definition } = editing.content
  const question = selected === undefined ? undefined : findQuestion(definition, selected)?.question
  const page = definition.pages.find((each) => each.id === selected)
  const ending = definition.endings?.find((each) => each.id === selected)
  const quota = definition.quotas?.find((each) => each.id === selected)
  if (selected === undefined || !(question ?? page ?? ending ?? quota))
    return <EmptyState title={t('editor.none')}>{t('editor.none-text')}</EmptyState>

  const form = {
    faults: faults.filter((each) => each.id === selected),
    messageOf: messageFor(selected),
    language,
    onLanguage,
  }
  const announceRemoval = () => showToast({ kind: 'info', text: t('outline.removed-rule') })
  const selectFirstPage = () => {
    onSelect(definition.pages[0]?.id ?? '')
    announceRemoval()
  }
  return (
    <>
      {question && (
        <LogicSources value={listQuestionsBefore(definition, question.id)}>
          <QuestionForm
            key={question.id}
            question={question}
            change={(edit, key) => changeDefinition((now) => changeQuestion(now, question.id, edit), key)}
            published={isPublished(question.id)}
            {...form}
          />
          <KeepQuestion key={`keep ${question.id}`} surveyId={surveyId} question={question} />
        </LogicSources>
      )}
      {page && (
        <LogicSources value={listQuestionsBeforePage(definition, page.id)}>
          <PageForm
            key={page.id}
            page={page}
            definition={definition}
            change={(edit, key) => changeDefinition((now) => changePage(now, page.id, edit), key)}
            onNewEnding={() => {
              const added = addEnding(definition)
              const made = added.definition.endings?.at(-1)
              changeDefinition((now) => ({ ...now, endings: [...(now.endings ?? []), ...(made ? [made] : [])] }))
              return added.id
            }}
            {...form}
          />
        </LogicSources>
      )}
      {ending && (
        <EndingForm
          key={ending.id}
          ending={ending}
          definition={definition}
          change={(edit, key) => changeDefinition((now) => changeEnding(now, ending.id, edit), key)}
          onRemove={() => {
            changeDefinition((now) => removeEnding(now, ending.id))
            selectFirstPage()
          }}
          onSelect={onSelect}
          {...form}
        />
      )}
      {quota && (
        <QuotaForm
          key={quota.id}
          surveyId={surveyId}
          quota={quota}
          definition={definition}
          change={(edit, key) => changeDefinition((now) => changeQuota(now, quota.id, edit), key)}
          messageOf={form.messageOf}
          onSplit={() => changeDefinition((now) => splitQuota(now, quota.id))}
          onRemove={() => {
            changeDefinition((now) => removeQuota(now, quota.id))
            selectFirstPage()
          }}
        />
      )}
    </>
  )
}
