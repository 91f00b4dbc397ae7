import { isLongList } from '../questionnaire/question-types/choices/options.ts'
import type { Definition, Question } from '../surveys.schema.ts'

export type PollQuestion = Extract<Question, { type: 'one_choice' | 'yes_no' }>

/**
 * The survey's only question, if one option of a short list, or yes or no, answers it. A long list, or an option with a text of its own,
 * needs the survey's page.
 */
export function findPollQuestion(definition: Definition): PollQuestion | undefined {
  const [page, ...otherPages] = definition.pages
  const [question, ...others] = page?.questions ?? []
  if (!question || otherPages.length > 0 || others.length > 0 || question.showIf) return undefined
  if (question.type === 'yes_no') return question
  const isPoll = question.type === 'one_choice' && !isLongList(question) && question.options.every((option) => !option.other)
  return isPoll ? question : undefined
}
