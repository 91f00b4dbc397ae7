import type { Definition, Question } from '../surveys.schema.ts'

export type PollQuestion = Extract<Question, { type: 'one_choice' | 'yes_no' }>

/** The survey's only question, if one option of a list, or yes or no, answers it. An option with a text of its own needs the survey's page. */
export function findPollQuestion(definition: Definition): PollQuestion | undefined {
  const [page, ...otherPages] = definition.pages
  const [question, ...others] = page?.questions ?? []
  if (!question || otherPages.length > 0 || others.length > 0 || question.showIf) return undefined
  if (question.type === 'yes_no') return question
  return question.type === 'one_choice' && question.options.every((option) => !option.other) ? question : undefined
}
