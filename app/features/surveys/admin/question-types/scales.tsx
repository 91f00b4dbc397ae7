import { useTranslation } from 'react-i18next'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { RATING_LOOKS } from '../../questionnaire/question-types/scales/scales.schema.ts'
import type { QuestionOf } from '../../surveys.schema.ts'
import type { QuestionEditor, QuestionFormProps } from './question-editor.ts'
import { WordsField } from './WordsField.tsx'

export const rating: QuestionEditor<'rating'> = { blank: () => ({ scale: { max: 5 } }), Form: RatingForm }
export const scale: QuestionEditor<'scale'> = { blank: () => ({ scale: { min: 1, max: 7 } }), Form: ScaleForm }
export const nps: QuestionEditor<'nps'> = {
  blank: () => ({}),
  Form: ({ question, change, language, messageOf }) => (
    <ScaleEndsFields ends={question} change={change} at="" language={language} messageOf={messageOf} />
  ),
}

const LARGEST_STEP = 10
const listSteps = (least: number) =>
  Array.from({ length: LARGEST_STEP - least + 1 }, (_, index) => ({ value: String(index + least), label: String(index + least) }))

function RatingForm({ question, change, language, messageOf, published }: QuestionFormProps<QuestionOf<'rating'>>) {
  const { t } = useTranslation('survey-admin')
  return (
    <>
      <div className="field-row">
        <SelectInput
          name="look"
          label={t('question.look')}
          value={question.look ?? 'numbers'}
          onChange={(look) => change({ look: look === 'numbers' ? undefined : look })}
          options={RATING_LOOKS.map((value) => ({ value, label: t(`look.${value}`) }))}
        />
        <SelectInput
          name="scale.max"
          label={t('question.up-to')}
          hint={published ? t('question.scale-fixed') : undefined}
          disabled={published}
          value={String(question.scale.max)}
          onChange={(max) => change({ scale: { ...question.scale, max: Number(max) } })}
          options={listSteps(2)}
          error={messageOf('scale.max')}
        />
      </div>
      <ScaleEndsFields
        ends={question.scale}
        change={(ends, key) => change({ scale: { ...question.scale, ...ends } }, key)}
        at="scale."
        language={language}
        messageOf={messageOf}
      />
    </>
  )
}

function ScaleForm({ question, change, language, messageOf, published }: QuestionFormProps<QuestionOf<'scale'>>) {
  const { t } = useTranslation('survey-admin')
  return (
    <>
      <div className="field-row">
        <SelectInput
          name="scale.min"
          label={t('question.from-zero')}
          disabled={published}
          value={String(question.scale.min)}
          onChange={(min) => change({ scale: { ...question.scale, min: Number(min) } })}
          options={[
            { value: '0', label: '0' },
            { value: '1', label: '1' },
          ]}
          error={messageOf('scale.min')}
        />
        <SelectInput
          name="scale.max"
          label={t('question.up-to')}
          hint={published ? t('question.scale-fixed') : undefined}
          disabled={published}
          value={String(question.scale.max)}
          onChange={(max) => change({ scale: { ...question.scale, max: Number(max) } })}
          options={listSteps(2)}
          error={messageOf('scale.max')}
        />
      </div>
      <ScaleEndsFields
        ends={question.scale}
        change={(ends, key) => change({ scale: { ...question.scale, ...ends } }, key)}
        at="scale."
        language={language}
        messageOf={messageOf}
      />
    </>
  )
}

interface ScaleEndsFieldsProps {
  ends: { low?: Translated | undefined; high?: Translated | undefined }
  change: (next: { low?: Translated; high?: Translated }, key: string) => void
  /** Path prefix inside the question. */
  at: string
  language: ContentLanguage
  messageOf: (field: string) => string | undefined
}

/** Labels for the two ends of a scale. */
export function ScaleEndsFields({ ends, change, at, language, messageOf }: ScaleEndsFieldsProps) {
  const { t } = useTranslation('survey-admin')
  return (
    <>
      <WordsField
        name={`${at}low`}
        label={t('question.low')}
        values={ends.low ?? {}}
        language={language}
        onChange={(low, key) => change({ low }, key)}
        messageOf={messageOf}
      />
      <WordsField
        name={`${at}high`}
        label={t('question.high')}
        values={ends.high ?? {}}
        language={language}
        onChange={(high, key) => change({ high }, key)}
        messageOf={messageOf}
      />
    </>
  )
}
