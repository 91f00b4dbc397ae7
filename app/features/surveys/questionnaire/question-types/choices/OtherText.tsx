import { TextField } from '#app/ui/text-field.tsx'
import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { buildFieldName } from '../../field-names.ts'
import { useSurveyWords } from '../../use-survey-words.ts'
import { type QuestionProps, toSingleValue } from '../question-field.tsx'
import { findOtherOption } from './options.ts'

/** The text for "other" below a list, which cannot reveal a field without a script. Nothing if the question has no such option. */
export function OtherText({ question, values, errors }: QuestionProps<QuestionOf<'one_choice' | 'dropdown' | 'demographic'>>) {
  const { t, say } = useSurveyWords()
  const other = findOtherOption(question)
  if (!other) return null
  const name = buildFieldName(question.id, 'other')
  return (
    <TextField
      name={name}
      label={t('choice.if-other', { option: say(other.label).text })}
      defaultValue={toSingleValue(values[name])}
      error={errors.get(name)}
    />
  )
}
