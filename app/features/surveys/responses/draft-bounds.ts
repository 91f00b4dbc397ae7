import type { Fault } from '#app/lib/app-error.ts'
import { longestOf } from '../questionnaire/question-types/text/text.ts'
import { lengthOf } from '../questionnaire/question-types/text-tools.ts'
import { questionsOf } from '../questionnaire/answers.ts'
import { everyItem } from '../questionnaire/check-definition.ts'
import type { Answer, Answers, Definition, Question } from '../surveys.schema.ts'

/** Somebody may write twice as much as is taken, and shorten it later. */
const LEEWAY = 2
const LINE = 2000
const OTHER_TEXT = 5000
/** An id with what is said of it: a place in an order, an amount, a row's column. */
const ITEM = 160
const FILES = 12_000
const PLACE = 4000

/** How much a draft keeps of an answer that may still be half typed: characters of a text, or of the JSON of anything else. */
function longestDraft(question: Question): number {
  switch (question.type) {
    case 'short_text':
    case 'long_text':
      return Math.max(LINE, OTHER_TEXT, LEEWAY * longestOf(question))
    case 'likert':
    case 'matrix_one':
    case 'matrix_several':
      return LINE + ITEM * question.rows.length * (1 + question.columns.length)
    case 'file':
      return FILES
    case 'address':
    case 'place':
      return PLACE
    default: {
      const items = everyItem(question)
      return LINE + ITEM * items.length + (items.some((item) => 'other' in item) ? OTHER_TEXT : 0)
    }
  }
}

const sizeOf = (answer: Answer): number => (typeof answer === 'string' ? lengthOf(answer) : JSON.stringify(answer).length)

/**
 * What keeps half-given answers from being kept: answers to no question of the version, and what is longer than anybody types. They are not
 * judged otherwise: whatever is half typed or wrong is kept, to be mended later.
 */
export function checkDraft(definition: Definition, answers: Answers): Fault[] {
  const questions = new Map(questionsOf(definition).map((question) => [question.id, question]))
  return Object.entries(answers).flatMap(([id, answer]): Fault[] => {
    const question = questions.get(id)
    if (!question) return [{ code: 'unknown-attribute', pointer: `/${id}` }]
    const max = longestDraft(question)
    if (sizeOf(answer) <= max) return []
    const told = question.type === 'short_text' || question.type === 'long_text' ? longestOf(question) : max
    return [{ code: 'too-long', pointer: `/${id}`, values: { max: told } }]
  })
}
