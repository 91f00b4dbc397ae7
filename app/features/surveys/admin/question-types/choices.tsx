import { useTranslation } from 'react-i18next'
import { NumberInput } from '#app/ui/admin/inputs.tsx'
import type { QuestionOf } from '../../surveys.schema.ts'
import { createItemId } from '../editor/definition-edits.ts'
import { OptionsField, createTwoOptions } from './OptionsField.tsx'
import type { QuestionEditor, QuestionFormProps } from './question-editor.ts'

const SingleChoiceForm = ({ question, change, language, messageOf }: QuestionFormProps<QuestionOf<'one_choice'>>) => (
  <OptionsField question={question} change={change} language={language} messageOf={messageOf} may={['words', 'many', 'order']} />
)

/** Questions about people keep the order of the bank. */
const DemographicForm = ({ question, change, language, messageOf }: QuestionFormProps<QuestionOf<'demographic'>>) => (
  <OptionsField question={question} change={change} language={language} messageOf={messageOf} may={['words', 'many']} />
)

const createSingleChoiceEditor = <T extends 'one_choice' | 'dropdown'>() =>
  ({ blank: () => ({ options: createTwoOptions() }), Form: SingleChoiceForm }) as unknown as QuestionEditor<T>

export const oneChoice = createSingleChoiceEditor<'one_choice'>()
export const dropdown = createSingleChoiceEditor<'dropdown'>()
export const demographic: QuestionEditor<'demographic'> = {
  blank: () => ({ options: createTwoOptions(), bank: createItemId('b') }),
  Form: DemographicForm,
}

export const severalChoices: QuestionEditor<'several_choices'> = {
  blank: () => ({ options: createTwoOptions() }),
  Form: ({ question, change, language, messageOf }) => (
    <>
      <OptionsField question={question} change={change} language={language} messageOf={messageOf} may={['words', 'exclude', 'order']} />
      <ChoiceCountFields question={question} change={change} messageOf={messageOf} />
    </>
  ),
}

export const pictureChoice: QuestionEditor<'picture_choice'> = {
  blank: () => ({ options: createTwoOptions() }),
  Form: ({ question, change, language, messageOf }) => (
    <>
      <OptionsField question={question} change={change} language={language} messageOf={messageOf} may={['picture', 'exclude', 'order']} />
      <ChoiceCountFields question={question} change={change} messageOf={messageOf} />
    </>
  ),
}

export const yesNo: QuestionEditor<'yes_no'> = { blank: () => ({}), Form: null }
export const consent: QuestionEditor<'consent'> = { blank: () => ({ required: true }), Form: null }

interface ChoiceCountFieldsProps {
  question: { options: unknown[]; minChoices?: number | undefined; maxChoices?: number | undefined }
  change: (next: { minChoices?: number | undefined; maxChoices?: number | undefined }, key?: string) => void
  messageOf: (field: string) => string | undefined
}

function ChoiceCountFields({ question, change, messageOf }: ChoiceCountFieldsProps) {
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
