import { createElement } from 'react'
import { getQuestionField } from '#app/features/surveys/questionnaire/question-types/fields.ts'
import type { FormValues } from '#app/features/surveys/questionnaire/field-names.ts'
import type { AskedQuestion } from './profile.schema.ts'

interface ProfileFieldProps {
  asked: AskedQuestion
  values: FormValues
  /** Error messages by field. */
  errors: ReadonlyMap<string, string>
}

/** A question about the person, as a question of a survey is asked. */
export const ProfileField = ({ asked: { question, note }, values, errors }: ProfileFieldProps) => (
  <>
    {createElement(getQuestionField(question), { question, values, errors })}
    {note && <p className="field-hint">{note}</p>}
  </>
)
