import type { Fault } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Answer, Answers, Question } from '#app/features/surveys/surveys.schema.ts'
import type { SurveyWords } from '../use-survey-words.ts'

/** What a form sent for one question: the values of its field, or of a part of it such as a row or the words beside an option. */
export type ReadSentPart = (...part: string[]) => readonly string[]

/** Values of a question's fields by part: `''` the field itself, `other` or the id of a row else. */
export type FieldValues = Record<string, string | string[]>

export type CellValue = string | number | null

/** One column of a table of responses. */
export interface AnswerColumn {
  /** The question's id and, of a part of it, the part's: `want.trees`. No other column of the survey has it. */
  code: string
  /** The same in words. */
  label: string
  /** Both, as the column is headed. */
  heading: string
  /** What it holds: words, numbers, or codes with what each stands for. */
  holds: ColumnContent
  /** Its values are paths of this site, one on each line: files that others read name them whole. */
  holdsAddresses?: boolean
  /** The value of one response. */
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

/** A question as columns are made of: with what could be chosen before it became text. */
export type ExportedQuestion<Q extends Question = Question> = Q & { formerOptions?: readonly { id: string; label: Translated }[] }

export type Say = (text: Translated | undefined) => string

/**
 * Everything a type of question does, besides its schema and its field. A type is one folder of these three; nothing else in the
 * product knows it by name but the table that lists them.
 */
export interface QuestionModule<Q extends Question = Question> {
  /** What a plain form sent, as an answer; what is half typed or wrong too, to be judged and shown again. */
  read: (question: Q, sent: ReadSentPart) => Answer | undefined
  /** The reverse: what the form's fields hold for an answer. */
  fields: (question: Q, answer: Answer) => FieldValues
  /** As it is kept: without stray spaces, in the survey's order; undefined for nothing. Of another shape it stays as it is. */
  tidy: (question: Q, answer: Answer) => Answer | undefined
  /** What keeps it from being accepted, with a pointer to the part at fault: `/other`, `/<row>`. */
  check: (question: Q, answer: Answer) => Fault | undefined
  /** What keeps the question itself from being published. */
  faults?: (question: Q, at: string) => Fault[]
  /** The answer in words, as the person meant it: one line, or one for each thing said. */
  words: (question: Q, answer: Answer, speak: SurveyWords) => string[]
  /** Its columns in a table of responses, the same for every response. */
  columns: (question: ExportedQuestion<Q>, say: Say) => AnswerColumn[]
  /** Of a question of several fields, their parts in order; a fault of the whole is shown at the first. */
  parts?: (question: Q) => readonly string[]
  /** What to do where a required answer is missing: a key of `survey:faults`. */
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

/** What a record holds under a name of its own, never what every object inherits. */
export const getOwn = <T>(record: Readonly<Record<string, T>>, id: string): T | undefined =>
  Object.hasOwn(record, id) ? record[id] : undefined

/**
 * A column of a question.
 * @param part of the question, where it has several columns
 * @param value of a question that was answered
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
