import { useTranslation } from 'react-i18next'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { PlainPanel } from '#app/shell/admin/plain-words/PlainPanel.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { CheckInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { listQuestionPassages } from '../../questionnaire/plain-passages.ts'
import type { Question } from '../../surveys.schema.ts'
import { findQuestionEditor, OFFERED_TYPES, changeQuestionType } from '../question-types/registry.ts'
import { WordsField } from '../question-types/WordsField.tsx'
import type { PlacedFault } from './draft-faults.ts'
import { useLogicSources } from './logic/logic-sources.ts'
import { RepeatAnswer } from './logic/RepeatAnswer.tsx'
import { ShowWhen } from './logic/ShowWhen.tsx'

interface QuestionFormProps {
  question: Question
  change: (edit: (question: Question) => Question, key?: string) => void
  faults: readonly PlacedFault[]
  /** Error messages to show, by field. */
  messageOf: (field: string) => string | undefined
  language: ContentLanguage
  onLanguage: (language: ContentLanguage) => void
  /** It was published and may have answers, so its type can only change to text. */
  published: boolean
}

/** One question: its texts in each language, and its rules. */
export function QuestionForm({ question, change, faults, messageOf, language, onLanguage, published }: QuestionFormProps) {
  const { t } = useTranslation('survey-admin')
  const { contentLanguages: languages } = useSite()
  const sources = useLogicSources()
  const set = (next: Partial<Question>, key?: string) => change((now) => ({ ...now, ...next }) as Question, key && `${question.id}.${key}`)
  const editor = findQuestionEditor(question.type)
  const Form = editor?.Form
  const missing = (code: ContentLanguage) =>
    faults.filter((each) => each.language === code && each.fault.code === 'translation-missing').length
  const isText = (type: string) => type === 'short_text' || type === 'long_text'
  return (
    <>
      <LanguageTabs
        label={t('languages')}
        languages={languages}
        missing={missing}
        missingLabel={(count) => t('missing', { count })}
        selected={language}
        onSelect={onLanguage}
      >
        <div className="admin-form">
          <WordsField
            name="title"
            label={editor?.silent ? t('question.heading') : t('question.title')}
            values={question.title}
            language={language}
            onChange={(title, key) => set({ title }, key)}
            messageOf={messageOf}
            rows={2}
          />
          <RepeatAnswer name="title" values={question.title} language={language} onChange={(title) => set({ title })} />
          <WordsField
            name="help"
            label={t('question.help')}
            values={question.help ?? {}}
            language={language}
            onChange={(help, key) => set({ help }, key)}
            messageOf={messageOf}
          />
          {Form && (
            <Form
              key={question.type}
              question={question}
              change={(next, key) => set(next, key)}
              language={language}
              messageOf={messageOf}
              published={published}
            />
          )}
          {!editor?.silent && (
            <CheckInput
              name="required"
              label={t('question.required')}
              value={question.required === true}
              onChange={(required) => set({ required: required || undefined })}
            />
          )}
          {question.profile !== undefined && (
            <CheckInput
              name="profile"
              label={t('question.profile')}
              hint={t('question.profile-hint')}
              value
              onChange={() => set({ profile: undefined })}
              error={messageOf('profile')}
            />
          )}
          <SelectInput
            name="type"
            label={t('question.type')}
            hint={published ? t('question.type-fixed') : undefined}
            value={question.type}
            onChange={(type) => change((now) => changeQuestionType(now, type))}
            options={OFFERED_TYPES.flat().map((type) => ({
              value: type,
              label: t(`types.${type}.name`),
              disabled: published && type !== question.type && !isText(type),
            }))}
            error={messageOf('type')}
          />
        </div>
        <PlainPanel passages={listQuestionPassages(question, language)} language={language} />
      </LanguageTabs>
      <section className="logic-part" aria-labelledby="show-question">
        <h2 id="show-question">{t('logic.when-shown')}</h2>
        <ShowWhen
          of="question"
          at="showIf"
          condition={question.showIf}
          sources={sources}
          onChange={(showIf, key) => set({ showIf }, key)}
          messageOf={messageOf}
        />
      </section>
    </>
  )
}
