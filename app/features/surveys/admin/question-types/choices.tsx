import { useTranslation } from 'react-i18next'
import { NumberInput } from '#app/ui/admin/inputs.tsx'
import type { QuestionOf } from '../../surveys.schema.ts'
import { newKeptId } from '../editor/definition-edits.ts'
import { OptionsField, twoOptions } from './OptionsField.tsx'
import type { QuestionEditor, QuestionFormProps } from './question-editor.ts'

type One = QuestionOf<'one_choice' | 'dropdown' | 'demographic'>

const OneForm = ({ question, change, language, messageOf }: QuestionFormProps<QuestionOf<'one_choice'>>) => (
  <OptionsField question={question} change={change} language={language} messageOf={messageOf} may={['words']} />
)

const oneOf = <T extends One['type']>(more: object = {}) =>
  ({ blank: () => ({ options: twoOptions(), ...more }), Form: OneForm }) as unknown as QuestionEditor<T>

export const oneChoice = oneOf<'one_choice'>()
export const dropdown = oneOf<'dropdown'>()
export const demographic: QuestionEditor<'demographic'> = {
  ...oneOf<'demographic'>(),
  blank: () => ({ options: twoOptions(), bank: newKeptId('b') }),
}

export const severalChoices: QuestionEditor<'several_choices'> = {
  blank: () => ({ options: twoOptions() }),
  Form: ({ question, change, language, messageOf }) => (
    <>
      <OptionsField question={question} change={change} language={language} messageOf={messageOf} may={['words', 'exclude']} />
      <HowMany question={question} change={change} messageOf={messageOf} />
    </>
  ),
}

export const pictureChoice: QuestionEditor<'picture_choice'> = {
  blank: () => ({ options: twoOptions() }),
  Form: ({ question, change, language, messageOf }) => (
    <>
      <OptionsField question={question} change={change} language={language} messageOf={messageOf} may={['picture', 'exclude']} />
      <HowMany question={question} change={change} messageOf={messageOf} />
    </>
  ),
}

export const yesNo: QuestionEditor<'yes_no'> = { blank: () => ({}), Form: null }
export const consent: QuestionEditor<'consent'> = { blank: () => ({ required: true }), Form: null }

interface HowManyProps {
  question: { options: unknown[]; minChoices?: number | undefined; maxChoices?: number | undefined }
  change: (next: { minChoices?: number | undefined; maxChoices?: number | undefined }, key?: string) => void
  messageOf: (field: string) => string | undefined
}

function HowMany({ question, change, messageOf }: HowManyProps) {
  const { t } = useTranslation('survey-admin')
  return (
    <>
      <div className="field-row">
        <NumberInput
          name="minChoices"
          label={t('question.least-choices')}
          value={question.minChoices}
          onChange={(minChoices) => change({ minChoices }, 'minChoices')}
          min={0}
          max={question.options.length}
          error={messageOf('minChoices')}
        />
        <NumberInput
          name="maxChoices"
          label={t('question.most-choices')}
          value={question.maxChoices}
          onChange={(maxChoices) => change({ maxChoices }, 'maxChoices')}
          min={1}
          max={question.options.length}
          error={messageOf('maxChoices')}
        />
      </div>
      <p className="field-hint">{t('question.choices-hint')}</p>
    </>
  )
}
