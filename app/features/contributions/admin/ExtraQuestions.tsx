import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getTranslation } from '#app/lib/translated.ts'
import { FIELD_AUDIENCES, FIELD_TYPES, type FieldType } from '#app/lib/vocabulary/contributions.ts'
import { useSite } from '#app/shell/page-state.tsx'
import type { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { CheckInput, NumberInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ExtraQuestion } from '../record/extra-question.schema.ts'
import { MAX_FIELD_OPTIONS, MAX_FIELDS } from '../record/fields.schema.ts'

interface ExtraQuestionsProps {
  questions: readonly ExtraQuestion[]
  onChange: (questions: ExtraQuestion[]) => void
  words: ReturnType<typeof useEditorTexts>
  /** Only the team sees the answers: the choice of who sees them is left out. */
  isForTeam?: boolean
}

const createItemId = (start: string) => `${start}${crypto.randomUUID().slice(0, 8)}`

/** Questions beside a form's own, such as the extra questions of an activity: added, changed, moved and removed. What is no longer asked is not shown. */
export function ExtraQuestions({ questions, onChange, words, isForTeam = false }: ExtraQuestionsProps) {
  const { t } = useTranslation('contributions-admin')
  const [told, setTold] = useState('')
  const asked = questions.filter(({ archived }) => !archived)
  const archived = questions.filter((question) => question.archived)
  const save = (next: readonly ExtraQuestion[]) => onChange([...next, ...archived])
  const move = (from: number, to: number) => {
    const moved = asked[from]
    if (!moved) return
    save(asked.filter((_, at) => at !== from).toSpliced(to, 0, moved))
    setTold(t('fields.moved', { position: to + 1, total: asked.length }))
  }
  return (
    <fieldset>
      <legend>{t('fields.title')}</legend>
      <p className="field-hint">{t('fields.hint', { max: MAX_FIELDS })}</p>
      {asked.map((question, at) => (
        <fieldset key={question.id} className="admin-panel">
          <legend>{t('fields.name', { number: at + 1 })}</legend>
          <QuestionForm
            question={question}
            onChange={(next) => save(asked.map((each) => (each.id === question.id ? next : each)))}
            words={words}
            isForTeam={isForTeam}
            messageOf={(name) => words.messageOf(`fields.${at}.${name}`)}
          />
          <div className="row">
            <Button kind="plain" size="small" disabled={at === 0} onClick={() => move(at, at - 1)}>
              {t('fields.up', { number: at + 1 })}
            </Button>
            <Button kind="plain" size="small" disabled={at === asked.length - 1} onClick={() => move(at, at + 1)}>
              {t('fields.down', { number: at + 1 })}
            </Button>
            <Button kind="plain" size="small" onClick={() => save(asked.filter(({ id }) => id !== question.id))}>
              {t('fields.remove', { number: at + 1 })}
            </Button>
          </div>
        </fieldset>
      ))}
      <output className="visually-hidden">{told}</output>
      {questions.length > 0 && <p className="field-hint">{t('fields.kept')}</p>}
      {asked.length < MAX_FIELDS && (
        <div className="row">
          <Button
            kind="secondary"
            size="small"
            onClick={() =>
              save([...asked, { id: createItemId('q'), type: 'short_text', title: {}, shownTo: isForTeam ? 'staff' : 'public' }])
            }
          >
            {t('fields.add')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

/** What a question of another type keeps. */
function changeType({ id, title, help, required, shownTo }: ExtraQuestion, type: FieldType): ExtraQuestion {
  const kept = { id, title, shownTo, ...(help && { help }), ...(required && { required }) }
  if (type === 'one_choice' || type === 'several_choices')
    return {
      ...kept,
      type,
      options: [
        { id: createItemId('o'), label: {} },
        { id: createItemId('o'), label: {} },
      ],
    }
  return { ...kept, type }
}

interface QuestionFormProps {
  question: ExtraQuestion
  onChange: (question: ExtraQuestion) => void
  words: ExtraQuestionsProps['words']
  isForTeam: boolean
  messageOf: (name: string) => string | undefined
}

function QuestionForm({ question, onChange, words, isForTeam, messageOf }: QuestionFormProps) {
  const { t } = useTranslation('contributions-admin')
  const site = useSite()
  const name = (part: string) => `question.${question.id}.${part}`
  return (
    <div className="admin-form">
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[
          { name: 'title', label: t('fields.title-label') },
          { name: 'help', label: t('fields.help') },
        ]}
        values={{ title: question.title, help: question.help ?? {} }}
        onChange={(part, text) => onChange({ ...question, [part]: text })}
        messageOf={messageOf}
        words={words.texts}
      />
      <SelectInput
        name={name('type')}
        label={t('fields.type')}
        value={question.type}
        onChange={(type) => onChange(changeType(question, type))}
        options={FIELD_TYPES.map((value) => ({ value, label: t(`fields.types.${value}`) }))}
        error={messageOf('type')}
      />
      {'options' in question && <Options question={question} onChange={onChange} messageOf={messageOf} />}
      {question.type === 'number' && (
        <>
          <NumberInput
            name={name('min')}
            label={t('fields.min')}
            value={question.min}
            onChange={(min) => onChange({ ...question, min })}
            digits={10}
          />
          <NumberInput
            name={name('max')}
            label={t('fields.max')}
            value={question.max}
            onChange={(max) => onChange({ ...question, max })}
            digits={10}
            error={messageOf('max')}
          />
        </>
      )}
      {!isForTeam && (
        <SelectInput
          name={name('shownTo')}
          label={t('fields.audience')}
          value={question.shownTo}
          onChange={(shownTo) => onChange({ ...question, shownTo })}
          options={FIELD_AUDIENCES.map((value) => ({ value, label: t(`fields.audiences.${value}`) }))}
        />
      )}
      <CheckInput
        name={name('required')}
        label={t('fields.required')}
        value={question.required ?? false}
        onChange={(required) => onChange({ ...question, required })}
      />
    </div>
  )
}

type QuestionWithOptions = Extract<ExtraQuestion, { options: unknown }>

function Options({
  question,
  onChange,
  messageOf,
}: Omit<QuestionFormProps, 'words' | 'question' | 'isForTeam'> & { question: QuestionWithOptions }) {
  const { t } = useTranslation('contributions-admin')
  const site = useSite()
  const { options } = question
  const offered = options.filter(({ removed }) => !removed)
  return (
    <fieldset>
      <legend>{t('fields.options')}</legend>
      {messageOf('options') && <p className="field-error">{messageOf('options')}</p>}
      {offered.map((option, at) => (
        <div key={option.id} className="admin-form">
          {site.contentLanguages.map((language) => (
            <TextInput
              key={language}
              name={`option.${option.id}.${language}`}
              label={`${t('fields.option', { number: at + 1 })} (${getLanguageName(language)})`}
              language={language}
              value={option.label[language] ?? ''}
              onChange={(text) =>
                onChange({
                  ...question,
                  options: options.map((each) => (each.id === option.id ? { ...each, label: { ...each.label, [language]: text } } : each)),
                })
              }
              error={messageOf(`options.${options.indexOf(option)}.label.${language}`)}
              maxLength={200}
            />
          ))}
          <div className="row">
            <Button
              kind="plain"
              size="small"
              onClick={() => onChange({ ...question, options: options.filter(({ id }) => id !== option.id) })}
            >
              {t('fields.remove-option', { number: at + 1, name: getTranslation(option.label, site.locale) })}
            </Button>
          </div>
        </div>
      ))}
      {offered.length < MAX_FIELD_OPTIONS && (
        <div className="row">
          <Button
            kind="secondary"
            size="small"
            onClick={() => onChange({ ...question, options: [...options, { id: createItemId('o'), label: {} }] })}
          >
            {t('fields.add-option')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
