import { useTranslation } from 'react-i18next'
import { CheckInput, NumberInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { MAX_TEXT_LENGTH } from '../../questionnaire/answer-limits.ts'
import type { QuestionEditor } from './question-editor.ts'
import { WordsField } from './WordsField.tsx'

export const shortText: QuestionEditor<'short_text'> = {
  blank: () => ({}),
  Form: function ShortTextForm({ question, change, language, messageOf }) {
    const { t } = useTranslation('survey-admin')
    return (
      <>
        <LengthFields question={question} longest={MAX_TEXT_LENGTH.short_text} change={change} messageOf={messageOf} />
        <TextInput
          name="pattern"
          label={t('question.pattern')}
          hint={t('question.pattern-hint')}
          value={question.pattern ?? ''}
          onChange={(pattern) => change({ pattern: pattern || undefined }, 'pattern')}
          maxLength={60}
          error={messageOf('pattern')}
        />
        {question.pattern && (
          <WordsField
            name="patternHelp"
            label={t('question.pattern-help')}
            values={question.patternHelp ?? {}}
            language={language}
            onChange={(patternHelp, key) => change({ patternHelp }, key)}
            messageOf={messageOf}
          />
        )}
        <PersonalField question={question} change={change} />
      </>
    )
  },
}

export const longText: QuestionEditor<'long_text'> = {
  blank: () => ({}),
  Form: ({ question, change, messageOf }) => (
    <>
      <LengthFields question={question} longest={MAX_TEXT_LENGTH.long_text} change={change} messageOf={messageOf} />
      <PersonalField question={question} change={change} />
    </>
  ),
}

export const email: QuestionEditor<'email'> = { blank: () => ({}), Form: null }
export const phone: QuestionEditor<'phone'> = { blank: () => ({}), Form: null }

interface LengthLimits {
  minLength?: number | undefined
  maxLength?: number | undefined
}

interface LengthFieldsProps {
  question: LengthLimits
  longest: number
  change: (next: LengthLimits, key?: string) => void
  messageOf: (field: string) => string | undefined
}

interface PersonalFieldProps {
  question: { personal?: true | undefined }
  change: (next: { personal?: true | undefined }) => void
}

function PersonalField({ question, change }: PersonalFieldProps) {
  const { t } = useTranslation('survey-admin')
  return (
    <CheckInput
      name="personal"
      label={t('question.personal')}
      hint={t('question.personal-hint')}
      value={question.personal ?? false}
      onChange={(personal) => change({ personal: personal || undefined })}
    />
  )
}

/** Minimum and maximum length of a written answer. */
function LengthFields({ question, longest, change, messageOf }: LengthFieldsProps) {
  const { t } = useTranslation('survey-admin')
  return (
    <div className="field-row">
      <NumberInput
        name="minLength"
        label={t('question.least')}
        value={question.minLength}
        onChange={(minLength) => change({ minLength }, 'minLength')}
        min={0}
        max={longest}
        unit={t('question.characters')}
        error={messageOf('minLength')}
      />
      <NumberInput
        name="maxLength"
        label={t('question.most')}
        value={question.maxLength}
        onChange={(maxLength) => change({ maxLength }, 'maxLength')}
        min={1}
        max={longest}
        unit={t('question.characters')}
        error={messageOf('maxLength')}
      />
    </div>
  )
}
