import type { Fault } from '#app/lib/app-error.ts'
import { buildFieldName, type FormValues } from './field-names.ts'
import { getOwn } from './question-types/question-type.ts'
import { getQuestionModule } from './question-types/registry.ts'
import type { Answer, Answers, Definition, Page, Question } from '../surveys.schema.ts'

/** Reading, tidying and checking answers, in the browser and on the server. */

/** The questions to ask, without removed ones that are kept only for their answers. */
export const listQuestions = (definition: Definition): Question[] =>
  definition.pages.flatMap((page) => page.questions).filter((question) => !question.removed)

/** The number of questions as people see it: info blocks do not count. Use this wherever a number of questions is shown. */
export const countQuestions = (questions: readonly Question[]): number => questions.filter(({ type }) => type !== 'info').length

/** The largest number of questions that one person can be asked. */
export const countPossibleQuestions = (pages: readonly Pick<Page, 'questions'>[]): number =>
  countQuestions(pages.flatMap(({ questions }) => questions.filter((question) => !question.removed)))

/** The form's encoding: multipart if a question asks for files. */
export const getFormEncoding = (questions: readonly Question[]): 'multipart/form-data' | undefined =>
  questions.some(({ type }) => type === 'file') ? 'multipart/form-data' : undefined

/** Reads answers from a plain HTML form. Ignores fields without a question; does not validate anything. */
export function readAnswers(questions: readonly Question[], values: FormValues): Answers {
  const answers: Answers = {}
  for (const question of questions) {
    const answer = getQuestionModule(question).read(question, (...part) => getFieldValues(values, buildFieldName(question.id, ...part)))
    if (answer !== undefined) answers[question.id] = answer
  }
  return answers
}

function getFieldValues(values: FormValues, name: string): readonly string[] {
  const sent = getOwn(values, name)
  return sent === undefined ? [] : Array.isArray(sent) ? sent : [sent]
}

/** The reverse: the form's field values for existing answers. */
export function toFormValues(questions: readonly Question[], answers: Answers): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {}
  for (const question of questions) {
    const answer = getOwn(answers, question.id)
    if (answer === undefined) continue
    for (const [part, value] of Object.entries(getQuestionModule(question).fields(question, answer)))
      values[buildFieldName(question.id, part)] = value
  }
  return values
}

/**
 * Answers as they are stored: text without stray spaces and unprintable characters, options once each and in the survey's order, blanks
 * omitted. Answers to unknown questions or of the wrong shape stay, for `checkAnswers` to report.
 */
export function tidyAnswers(definition: Definition, answers: Answers): Answers {
  const byId = new Map(listQuestions(definition).map((question) => [question.id, question]))
  const tidied: Answers = {}
  for (const [id, answer] of Object.entries(answers)) {
    const question = byId.get(id)
    const kept = question ? getQuestionModule(question).tidy(question, answer) : answer
    if (kept !== undefined) tidied[id] = kept
  }
  return tidied
}

/**
 * Everything that keeps `answers` from being accepted, at most one fault per question, in the survey's order. Pointers are `/<question
 * id>`, or `/<question id>/<part>` for a row, or the text beside an option.
 */
export function checkAnswers(questions: readonly Question[], answers: Answers): Fault[] {
  const faults = questions.flatMap((question) => {
    const given = getOwn(answers, question.id)
    const fault = checkAnswer(question, given === undefined ? undefined : getQuestionModule(question).tidy(question, given))
    return fault ? [{ ...fault, pointer: `/${question.id}${fault.pointer ?? ''}` }] : []
  })
  const known = new Set(questions.map((question) => question.id))
  const unknown = Object.keys(answers).filter((id) => !known.has(id))
  return [...faults, ...unknown.map((id): Fault => ({ code: 'unknown-attribute', pointer: `/${id}` }))]
}

function checkAnswer(question: Question, answer: Answer | undefined): Fault | undefined {
  if (answer !== undefined) return getQuestionModule(question).check(question, answer)
  return question.required && question.type !== 'info' ? { code: 'required' } : undefined
}
