import type { Fault } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Answer, Answers, Question } from '#app/features/surveys/surveys.schema.ts'
import type { SurveyWords } from '../use-survey-words.ts'

/** Reads what a form sent for one question: the values of its field, or of a part such as a row or the text beside an option. */
export type ReadSentPart = (...part: string[]) => readonly string[]

/** Field values of a question by part: `''` is the field itself, otherwise `other` or a row's id. */
export type FieldValues = Record<string, string | string[]>

export type CellValue = string | number | null

/** A column in a table of responses. */
export interface AnswerColumn {
  /** The question's id and, for a part, the part's: `want.trees`. Unique in the survey. */
  code: string
  /** The label without the code. */
  label: string
  /** Column heading: label and code. */
  heading: string
  /** Column type: text, numbers, or codes with their labels. */
  holds: ColumnContent
  /** The values are paths on this site, one per line: export files need absolute URLs. */
  holdsAddresses?: boolean
  /** The value for one response. */
  value: (answers: Answers) => CellValue
}

export type ColumnContent =
  | { kind: 'text' | 'number' }
  | { kind: 'code'; labels: readonly (readonly [code: string | number, label: string])[] }

export const TEXT_CONTENT: ColumnContent = { kind: 'text' }
export const NUMBER_CONTENT: ColumnContent = { kind: 'number' }
/** Whether an option was chosen. */
export const CHOSEN_CONTENT: ColumnContent = { kind: 'code', labels: [] }
export const createCodeContent = (items: readonly { id: string; label: Translated }[], say: Say): ColumnContent => ({
  kind: 'code',
  labels: items.map((item) => [item.id, say(item.label)] as const),
})

/** A question for building columns: with the options it had before it became text. */
export type ExportedQuestion<Q extends Question = Question> = Q & { formerOptions?: readonly { id: string; label: Translated }[] }

export type Say = (text: Translated | undefined) => string

/**
 * Everything a question type does, besides its schema and its field. Each type is a folder of these three; nothing else in the product
 * refers to a type by name except the registry.
 */
export interface QuestionModule<Q extends Question = Question> {
  /** Reads an answer from a plain form, even if incomplete or invalid, so that it can be checked and shown again. */
  read: (question: Q, sent: ReadSentPart) => Answer | undefined
  /** The reverse: field values for an answer. */
  fields: (question: Q, answer: Answer) => FieldValues
  /** The answer as stored: without stray spaces, in the survey's order; undefined if blank. An answer of the wrong shape stays as it is. */
  tidy: (question: Q, answer: Answer) => Answer | undefined
  /** Why an answer is not acceptable, with a pointer to the part: `/other`, `/<row>`. */
  check: (question: Q, answer: Answer) => Fault | undefined
  /** Why the question itself cannot be published. */
  faults?: (question: Q, at: string) => Fault[]
  /** The answer as readable text: one line, or one per item. */
  words: (question: Q, answer: Answer, speak: SurveyWords) => string[]
  /** Columns in a table of responses, the same for every response. */
  columns: (question: ExportedQuestion<Q>, say: Say) => AnswerColumn[]
  /** Parts of a question with several fields, in order; a fault of the whole is shown at the first. */
  parts?: (question: Q) => readonly string[]
  /** What to do about a missing required answer: a key of `survey:faults`. */
  missing: MissingAnswerKey
}

export type MissingAnswerKey =
  | 'write'
  | 'choose-one'
  | 'choose-some'
  | 'rate'
  | 'choose-rows'
  | 'rank'
  | 'number'
  | 'share'
  | 'date'
  | 'time'
  | 'agree'
  | 'place'
  | 'file'

/** An own property of a record, never an inherited one. */
export const getOwn = <T>(record: Readonly<Record<string, T>>, id: string): T | undefined =>
  Object.hasOwn(record, id) ? record[id] : undefined

/**
 * Builds a column of a question.
 * @param part of the question, if it has several columns
 * @param value called only if the question was answered
 */
export const createColumn = (
  { id }: Pick<Question, 'id'>,
  part: string,
  label: string,
  value: (answer: Answer) => CellValue,
  holds: ColumnContent = TEXT_CONTENT,
): AnswerColumn => {
  const code = part ? `${id}.${part}` : id
  return {
    code,
    label,
    heading: `${label} [${code}]`,
    holds,
    value: (answers) => {
      const answer = getOwn(answers, id)
      return answer === undefined ? null : value(answer)
    },
  }
}
