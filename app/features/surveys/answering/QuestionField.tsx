import { createElement } from 'react'
import { getQuestionField } from '../questionnaire/question-types/fields.ts'
import type { QuestionProps } from '../questionnaire/question-types/question-field.tsx'

/** One question of a survey as plain form fields. */
export const QuestionField = (props: QuestionProps) => createElement(getQuestionField(props.question), props)
