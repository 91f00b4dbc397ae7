import type { Fault } from '#app/lib/app-error.ts'
import { isLongList } from '../questionnaire/question-types/choices/options.ts'
import { getMostCharacters } from '../questionnaire/question-types/text/text.ts'
import { countCharacters } from '../questionnaire/question-types/text-tools.ts'
import { listQuestions } from '../questionnaire/answers.ts'
import { listEveryItem } from '../questionnaire/item-lists.ts'
import type { Answer, Answers, Definition, Question } from '../surveys.schema.ts'

/** A draft may be twice as long as a final answer: people shorten it later. */
const LENGTH_LEEWAY = 2
const LINE_CHARACTERS = 2000
const OTHER_CHARACTERS = 5000
/** An id with its value: a rank, an amount, a row's column. */
const ITEM_CHARACTERS = 160
const FILE_CHARACTERS = 12_000
const PLACE_CHARACTERS = 4000

/** Upper bound for one answer in a draft: characters of a text, or of the JSON of anything else. */
function getLongestDraft(question: Question): number {
  switch (question.type) {
    case 'short_text':
    case 'long_text':
      return Math.max(LINE_CHARACTERS, OTHER_CHARACTERS, LENGTH_LEEWAY * getMostCharacters(question))
    case 'likert':
    case 'matrix_one':
    case 'matrix_several':
      return LINE_CHARACTERS + ITEM_CHARACTERS * question.rows.length * (1 + question.columns.length)
    case 'file':
      return FILE_CHARACTERS
    case 'address':
    case 'place':
      return PLACE_CHARACTERS
    default: {
      // One answer, however many there are to choose from.
      if (isLongList(question)) return LINE_CHARACTERS + OTHER_CHARACTERS
      const items = listEveryItem(question)
      return LINE_CHARACTERS + ITEM_CHARACTERS * items.length + (items.some((item) => 'other' in item) ? OTHER_CHARACTERS : 0)
    }
  }
}

const measureAnswer = (answer: Answer): number => (typeof answer === 'string' ? countCharacters(answer) : JSON.stringify(answer).length)

/**
 * The only checks on a draft: answers to questions that the version does not have, and answers longer than anyone types. Everything else is
 * kept, however incomplete or invalid, to be corrected later.
 */
export function checkDraft(definition: Definition, answers: Answers): Fault[] {
  const questions = new Map(listQuestions(definition).map((question) => [question.id, question]))
  return Object.entries(answers).flatMap(([id, answer]): Fault[] => {
    const question = questions.get(id)
    if (!question) return [{ code: 'unknown-attribute', pointer: `/${id}` }]
    const max = getLongestDraft(question)
    if (measureAnswer(answer) <= max) return []
    const limit = question.type === 'short_text' || question.type === 'long_text' ? getMostCharacters(question) : max
    return [{ code: 'too-long', pointer: `/${id}`, values: { max: limit } }]
  })
}
