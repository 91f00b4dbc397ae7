import { Checkbox, CheckboxGroup, type Choice, RadioGroup } from '#app/ui/choice-group.tsx'
import { Select } from '#app/ui/select.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { buildFieldName } from '../../field-names.ts'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { type SurveyWords, useSurveyWords } from '../../use-survey-words.ts'
import { toValueList, buildFieldProps, toSingleValue, type QuestionProps } from '../question-field.tsx'
import { OtherText } from './OtherText.tsx'
import { listOfferedOptions } from './options.ts'

type ChoiceQuestionType = QuestionOf<
  'one_choice' | 'several_choices' | 'dropdown' | 'picture_choice' | 'yes_no' | 'consent' | 'demographic'
>
type QuestionWithOptionList = Extract<ChoiceQuestionType, { options: unknown }>

export function ChoiceQuestion(props: QuestionProps<ChoiceQuestionType>) {
  const words = useSurveyWords()
  const { question, values } = props
  const { t, say } = words
  switch (question.type) {
    case 'yes_no':
      return (
        <RadioGroup
          {...buildFieldProps(words, props)}
          options={[
            { value: 'yes', label: t('choice.yes') },
            { value: 'no', label: t('choice.no') },
          ]}
          defaultValue={toSingleValue(values[buildFieldName(question.id)])}
        />
      )
    case 'consent': {
      const { labelSize: _large, heading: _heading, ...field } = buildFieldProps(words, props)
      return <Checkbox {...field} defaultChecked={toSingleValue(values[field.name]) === 'yes'} />
    }
    case 'dropdown':
      return <Dropdown {...props} question={question} />
    case 'several_choices':
    case 'picture_choice': {
      const max = question.type === 'several_choices' ? question.maxChoices : (question.maxChoices ?? Math.max(1, question.minChoices ?? 1))
      const field = buildFieldProps(
        words,
        props,
        max === 1 && question.type === 'picture_choice' ? undefined : formatChoiceCount(words, question.minChoices, max),
      )
      const options = listChoices(words, { ...props, question })
      const group =
        max === 1 && question.type === 'picture_choice' ? (
          <RadioGroup {...field} options={options} defaultValue={toSingleValue(values[field.name])} />
        ) : (
          <CheckboxGroup {...field} options={options} defaultValue={toValueList(values[field.name])} />
        )
      return question.type === 'picture_choice' ? <div className="options-pictures">{group}</div> : group
    }
    default:
      return (
        <RadioGroup
          {...buildFieldProps(words, props, question.type === 'demographic' && !say(question.help).text ? t('about-you') : undefined)}
          options={listChoices(words, { ...props, question })}
          defaultValue={toSingleValue(values[buildFieldName(question.id)])}
        />
      )
  }
}

function listChoices({ t, say }: SurveyWords, { question, values, errors }: QuestionProps<QuestionWithOptionList>): Choice[] {
  const other = buildFieldName(question.id, 'other')
  return listOfferedOptions(question).map((option) => ({
    value: option.id,
    label: (
      <>
        {option.picture && <img src={option.picture.url} alt={say(option.picture.alt).text} loading="lazy" />}
        <Text words={say(option.label)} />
      </>
    ),
    ...(option.help && say(option.help).text ? { hint: <Text words={say(option.help)} /> } : {}),
    ...(option.other
      ? { reveals: <TextField name={other} label={t('other')} defaultValue={toSingleValue(values[other])} error={errors.get(other)} /> }
      : {}),
  }))
}

function formatChoiceCount({ t }: SurveyWords, min = 0, max?: number): string {
  if (max === undefined) return min > 1 ? t('choose.least', { count: min }) : t('choose.any')
  if (min === max) return t('choose.exactly', { count: max })
  return min > 1 ? t('choose.between', { min, max }) : t('choose.most', { count: max })
}

/** A dropdown cannot reveal a field without a script, so the text for "other" is always below it. */
function Dropdown(props: QuestionProps<QuestionOf<'dropdown'>>) {
  const words = useSurveyWords()
  const { question, values } = props
  const { t, say } = words
  const field = buildFieldProps(words, props)
  return (
    <div className="stack">
      <Select
        {...field}
        defaultValue={toSingleValue(values[field.name]) ?? ''}
        options={[
          { value: '', label: t('choice.none-yet') },
          ...listOfferedOptions(question).map((option) => ({ value: option.id, label: say(option.label).text })),
        ]}
      />
      <OtherText {...props} />
    </div>
  )
}
