import { createElement } from 'react'
import type { FormValues } from '#app/features/surveys/questionnaire/field-names.ts'
import { getQuestionField } from '#app/features/surveys/questionnaire/question-types/fields.ts'
import type { SignUpQuestion } from '../sign-up-questions.schema.ts'

interface SignUpQuestionsProps {
  questions: readonly SignUpQuestion[]
  values: FormValues
  /** Error messages by field. */
  errors: ReadonlyMap<string, string>
}

/** The questions of an event, with the inputs of a survey. */
export const SignUpQuestions = ({ questions, values, errors }: SignUpQuestionsProps) =>
  questions.map((question) => createElement(getQuestionField(question), { key: question.id, question, values, errors }))
