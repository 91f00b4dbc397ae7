import type { Fault } from '#app/lib/app-error.ts'
import { LONGEST_OTHER, LONGEST_TEXT } from './surveys.limits.ts'
import type { Answer, Answers, Definition, Option, Question, QuestionOf } from './surveys.schema.ts'

/** The one evaluator of answers, run in the browser and on the server alike. */

export type FormValues = Readonly<Record<string, string | string[] | undefined>>

export const questionsOf = (definition: Definition): Question[] => definition.pages.flatMap((page) => page.questions)

/** Name of a question's form field, and of the text beside its option "other". */
export const fieldName = (questionId: string): string => `q.${questionId}`
export const otherFieldName = (questionId: string): string => `q.${questionId}.other`

export const optionOf = (question: { options: readonly Option[] }, id: string): Option | undefined =>
  question.options.find((option) => option.id === id)

/** Length as a person counts it: an accent or an emoji of one code point is one character, a line break too. */
export const lengthOf = (text: string): number => Array.from(text).length

export const longestOf = (question: QuestionOf<'short_text' | 'long_text'>): number => question.maxLength ?? LONGEST_TEXT[question.type]

/** What a plain HTML form sent, as answers. Fields of no question are left out; nothing sent is judged here. */
export function readAnswers(definition: Definition, values: FormValues): Answers {
  const answers: Answers = {}
  for (const question of questionsOf(definition)) {
    const answer = readAnswer(question, values)
    if (answer !== undefined) answers[question.id] = answer
  }
  return answers
}

function readAnswer(question: Question, values: FormValues): Answer | undefined {
  const sent = valuesOf(values, fieldName(question.id))
  const [first] = sent
  switch (question.type) {
    case 'short_text':
    case 'long_text':
      return tidyAnswer(question, first ?? '')
    case 'rating':
      if (first === undefined || first.trim() === '') return undefined
      return /^\d{1,9}$/.test(first.trim()) ? Number(first) : first
    case 'one_choice': {
      const other = otherText(values, question)
      const choice = first || (other ? question.options.find((option) => option.other)?.id : undefined)
      return choice ? tidyAnswer(question, { choice, ...(other ? { other } : {}) }) : undefined
    }
    case 'several_choices': {
      const other = otherText(values, question)
      const implied = other ? question.options.find((option) => option.other)?.id : undefined
      const choices = [...sent.filter(Boolean), ...(implied ? [implied] : [])]
      return tidyAnswer(question, { choices, ...(other ? { other } : {}) })
    }
  }
}

function valuesOf(values: FormValues, name: string): readonly string[] {
  const sent = Object.hasOwn(values, name) ? values[name] : undefined
  return sent === undefined ? [] : Array.isArray(sent) ? sent : [sent]
}

const otherText = (values: FormValues, question: Question): string => tidyText(valuesOf(values, otherFieldName(question.id))[0] ?? '', true)

/**
 * Answers as they are kept: text without stray spaces and unprintable characters, options once each and in the survey's order,
 * blanks left out. Answers to no question of the survey, and of the wrong shape, stay for `checkAnswers` to name.
 */
export function tidyAnswers(definition: Definition, answers: Answers): Answers {
  const byId = new Map(questionsOf(definition).map((question) => [question.id, question]))
  const tidied: Answers = {}
  for (const [id, answer] of Object.entries(answers)) {
    const question = byId.get(id)
    const kept = question ? tidyAnswer(question, answer) : answer
    if (kept !== undefined) tidied[id] = kept
  }
  return tidied
}

function tidyAnswer(question: Question, answer: Answer): Answer | undefined {
  if (typeof answer === 'number') return answer
  if (typeof answer === 'string') return tidyText(answer, question.type !== 'long_text') || undefined
  const other = answer.other === undefined ? '' : tidyText(answer.other, true)
  if ('choice' in answer) {
    const takesText = question.type === 'one_choice' && optionOf(question, answer.choice)?.other === true
    return { choice: answer.choice, ...(other && (takesText || question.type !== 'one_choice') ? { other } : {}) }
  }
  const chosen = [...new Set(answer.choices)]
  if (chosen.length === 0) return undefined
  if (question.type !== 'several_choices') return { choices: chosen, ...(other ? { other } : {}) }
  const order = new Map(question.options.map((option, index) => [option.id, index]))
  chosen.sort((a, b) => (order.get(a) ?? Infinity) - (order.get(b) ?? Infinity) || (a < b ? -1 : 1))
  const takesText = chosen.some((id) => optionOf(question, id)?.other)
  return { choices: chosen, ...(other && takesText ? { other } : {}) }
}

function tidyText(text: string, oneLine: boolean): string {
  const lines = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\p{Noncharacter_Code_Point}]/gu, (unprintable) => (unprintable === '\n' || unprintable === '\t' ? unprintable : ''))
  return (oneLine ? lines.replace(/\s*\n\s*/g, ' ') : lines).trim()
}

/**
 * Everything that keeps `answers` from being accepted, at most one fault for each question, in the survey's order. Pointers are
 * `/<question id>`, or `/<question id>/other` for the text beside an option.
 */
export function checkAnswers(definition: Definition, answers: Answers): Fault[] {
  const questions = questionsOf(definition)
  const faults = questions.flatMap((question) => {
    const answer = Object.hasOwn(answers, question.id) ? tidyAnswer(question, answers[question.id] as Answer) : undefined
    const fault = checkAnswer(question, answer)
    return fault ? [{ ...fault, pointer: `/${question.id}${fault.pointer ?? ''}` }] : []
  })
  const known = new Set(questions.map((question) => question.id))
  const unknown = Object.keys(answers).filter((id) => !known.has(id))
  return [...faults, ...unknown.map((id): Fault => ({ code: 'unknown-attribute', pointer: `/${id}` }))]
}

function checkAnswer(question: Question, answer: Answer | undefined): Fault | undefined {
  if (answer === undefined) return question.required ? { code: 'required' } : undefined
  switch (question.type) {
    case 'short_text':
    case 'long_text':
      return checkText(question, answer)
    case 'rating':
      if (typeof answer !== 'number' || !Number.isInteger(answer)) return { code: 'not-a-choice' }
      return answer >= 1 && answer <= question.scale.max ? undefined : { code: 'not-a-choice' }
    case 'one_choice':
      if (typeof answer !== 'object' || !('choice' in answer)) return { code: 'wrong-type' }
      return checkOptions(question, [answer.choice], answer.other)
    case 'several_choices':
      if (typeof answer !== 'object' || !('choices' in answer)) return { code: 'wrong-type' }
      return checkOptions(question, answer.choices, answer.other) ?? checkNumber(question, answer.choices)
  }
}

function checkText(question: QuestionOf<'short_text' | 'long_text'>, answer: Answer): Fault | undefined {
  if (typeof answer !== 'string') return { code: 'wrong-type' }
  const length = lengthOf(answer)
  const max = longestOf(question)
  if (length > max) return { code: 'too-long', values: { max } }
  if (question.minLength !== undefined && length < question.minLength) return { code: 'too-short', values: { min: question.minLength } }
  return undefined
}

function checkOptions(
  question: QuestionOf<'one_choice' | 'several_choices'>,
  chosen: readonly string[],
  other: string | undefined,
): Fault | undefined {
  const options = chosen.map((id) => optionOf(question, id))
  if (options.some((option) => option === undefined)) return { code: 'not-a-choice' }
  if (options.length > 1 && options.some((option) => option?.exclusive)) return { code: 'exclusive-choice' }
  if (!options.some((option) => option?.other)) return undefined
  if (!other) return { code: 'required', pointer: '/other' }
  return lengthOf(other) > LONGEST_OTHER ? { code: 'too-long', pointer: '/other', values: { max: LONGEST_OTHER } } : undefined
}

function checkNumber(question: QuestionOf<'several_choices'>, chosen: readonly string[]): Fault | undefined {
  const { minChoices, maxChoices } = question
  if (maxChoices !== undefined && chosen.length > maxChoices) return { code: 'too-many', values: { max: maxChoices } }
  const alone = chosen.length === 1 && optionOf(question, chosen[0] as string)?.exclusive
  if (minChoices !== undefined && chosen.length < minChoices && !alone) return { code: 'too-few', values: { min: minChoices } }
  return undefined
}
