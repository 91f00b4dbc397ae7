import { useTranslation } from 'react-i18next'
import { NumberInput } from '#app/ui/admin/inputs.tsx'
import type { QuestionOf } from '../../surveys.schema.ts'
import type { QuestionEditor, QuestionFormProps } from './question-editor.ts'
import { ScaleEndsFields } from './scales.tsx'
import { WordsField } from './WordsField.tsx'

export const number: QuestionEditor<'number'> = { blank: () => ({}), Form: NumberForm }
export const slider: QuestionEditor<'slider'> = { blank: () => ({ min: 0, max: 100 }), Form: SliderForm }

function NumberForm({ question, change, language, messageOf }: QuestionFormProps<QuestionOf<'number'>>) {
  const { t } = useTranslation('survey-admin')
  return (
    <>
      <div className="field-row">
        <NumberInput
          name="min"
          label={t('question.min')}
          value={question.min}
          onChange={(min) => change({ min }, 'min')}
          error={messageOf('min')}
        />
        <NumberInput
          name="max"
          label={t('question.max')}
          value={question.max}
          onChange={(max) => change({ max }, 'max')}
          error={messageOf('max')}
        />
        <NumberInput
          name="decimals"
          label={t('question.decimals')}
          value={question.decimals}
          onChange={(decimals) => change({ decimals }, 'decimals')}
          min={0}
          max={6}
          error={messageOf('decimals')}
        />
      </div>
      <UnitField question={question} change={change} language={language} messageOf={messageOf} />
    </>
  )
}

function SliderForm({ question, change, language, messageOf }: QuestionFormProps<QuestionOf<'slider'>>) {
  const { t } = useTranslation('survey-admin')
  return (
    <>
      <div className="field-row">
        <NumberInput
          name="min"
          label={t('question.min')}
          value={question.min}
          onChange={(min) => change({ min: min ?? 0 }, 'min')}
          error={messageOf('min')}
        />
        <NumberInput
          name="max"
          label={t('question.max')}
          value={question.max}
          onChange={(max) => change({ max: max ?? 0 }, 'max')}
          error={messageOf('max')}
        />
        <NumberInput
          name="step"
          label={t('question.step')}
          value={question.step}
          onChange={(step) => change({ step }, 'step')}
          min={0}
          error={messageOf('step')}
        />
      </div>
      <UnitField question={question} change={change} language={language} messageOf={messageOf} />
      <ScaleEndsFields ends={question} change={change} at="" language={language} messageOf={messageOf} />
    </>
  )
}

type UnitFieldProps = Pick<QuestionFormProps<QuestionOf<'number'>>, 'language' | 'messageOf'> & {
  question: Pick<QuestionOf<'number'>, 'unit'>
  change: (next: Pick<QuestionOf<'number'>, 'unit'>, key: string) => void
}

function UnitField({ question, change, language, messageOf }: UnitFieldProps) {
  const { t } = useTranslation('survey-admin')
  return (
    <WordsField
      name="unit"
      label={t('question.unit')}
      hint={t('question.unit-hint')}
      values={question.unit ?? {}}
      language={language}
      onChange={(unit, key) => change({ unit }, key)}
      messageOf={messageOf}
    />
  )
}
