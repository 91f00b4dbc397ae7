import * as v from 'valibot'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { idSchema } from '#app/lib/uuid.ts'

/** Everyone in a file may be sent an invitation at once. */
export const MAX_CONTACTS = 2000
/** In characters, or as an Excel workbook in base64. */
export const LARGEST_CONTACTS = 400_000
/** More columns are not read. */
export const MAX_COLUMNS = 100

/** A column, counted from 0, whose cells answer a question about people. */
const answerColumnSchema = v.object({
  column: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_COLUMNS - 1)),
  question: v.pipe(v.string(), v.maxLength(40)),
})
export type AnswerColumn = v.InferOutput<typeof answerColumnSchema>

export const contactsInputSchema = v.object({
  /** A table as text, or an Excel workbook in base64. */
  file: v.object({ kind: v.picklist(['text', 'workbook']), content: v.pipe(v.string(), v.maxLength(LARGEST_CONTACTS)) }),
  /** False to only check the file. */
  store: v.boolean(),
  /** How and when they agreed to news by email; empty if they did not. */
  consent: v.pipe(v.string(), v.trim(), v.maxLength(500)),
  /** Emails everyone new a link to choose a password. */
  invite: v.boolean(),
  /** A group that everyone in the file is added to. */
  group: v.nullable(idSchema),
  /** Which columns answer questions; null to find them by their headings. */
  answers: v.nullable(v.pipe(v.array(answerColumnSchema), v.maxLength(MAX_COLUMNS))),
  /** How these people agreed that their answers are kept; needed to store answers. */
  basis: v.pipe(v.string(), v.trim(), v.maxLength(500)),
  /** Imports the other rows if some are wrong. */
  skipsFaulty: v.boolean(),
})
export type ContactsInput = v.InferOutput<typeof contactsInputSchema>

/** `known`: has an account already, which is left as it is. `repeated`: is in the file above. */
export type ContactOutcome = 'new' | 'known' | 'repeated' | 'faulty'

export interface ContactLine {
  /** As a spreadsheet numbers it: the heading is row 1. */
  row: number
  email: string
  outcome: ContactOutcome
  agrees: boolean
  fault: { code: ErrorCode; column: string } | null
  /** What they say about themselves, as text. */
  answers: { question: string; text: string }[]
}

export interface ContactColumn {
  heading: string
  /** The first cell that is not empty. */
  sample: string
  /** What the product reads from it of itself; `answer` for a question about people. */
  use: 'email' | 'name' | 'language' | 'consent' | 'answer' | null
  /** Key of the question. */
  question: string | null
}

/** A question about people that a column can answer. */
interface ContactQuestion {
  key: string
  label: string
  purpose: string
  retentionMonths: number
}

export interface ContactsReport {
  columns: ContactColumn[]
  questions: ContactQuestion[]
  lines: ContactLine[]
  /** Only if every line can be imported, or the others were to be left out, and it was asked for. */
  isStored: boolean
  /** How many answers were stored. What somebody said before stays. */
  answersStored: number
}
