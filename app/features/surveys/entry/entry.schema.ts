import * as v from 'valibot'
import type { Fault } from '#app/lib/app-error.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { answersSchema, sendKeySchema } from '../surveys.schema.ts'

/** Maximum bytes of a response table: it must fit into one request. */
export const LARGEST_TABLE = 1_500_000
export const MAX_ROWS = 20_000

/** A response given on paper. The client creates the id, so that sending it twice stores it once. */
export const paperSchema = v.object({
  survey: idSchema,
  id: idSchema,
  sendKey: sendKeySchema,
  language: v.picklist(LANGUAGES),
  answers: answersSchema,
})
export type PaperResponse = v.InferOutput<typeof paperSchema>

export const tableSchema = v.object({
  survey: idSchema,
  /** The file's text. */
  text: v.pipe(v.string(), v.maxLength(LARGEST_TABLE)),
  /** The target for each column by position: its key, or '' to skip the column. Omitted for a preview of the file. */
  columns: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(2000))),
})
export type ResponseTableInput = v.InferOutput<typeof tableSchema>

/** Why a row cannot be imported. */
export interface RowFault {
  /** Spreadsheet row number; the heading is row 1. */
  row: number
  column: string
  code: Fault['code']
  values?: Record<string, string | number>
}

export interface ResponseTableReport {
  rows: number
  columns: { heading: string; samples: string[]; target: string }[]
  faults: RowFault[]
  /** Zero unless every row could be imported. */
  stored: number
}
