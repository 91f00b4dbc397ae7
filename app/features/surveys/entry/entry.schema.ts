import * as v from 'valibot'
import type { Fault } from '#app/lib/app-error.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { sendKeySchema } from '#app/features/participation/sending.schema.ts'
import { answersSchema } from '../surveys.schema.ts'

/** Maximum bytes of a file of responses: room for the most rows, with long answers. */
export const LARGEST_TABLE = 40_000_000
export const MAX_ROWS = 20_000

/** A response given on paper. The client creates the id, so that sending it twice stores it once. */
export const paperSchema = v.object({
  survey: idSchema,
  id: idSchema,
  sendKey: sendKeySchema,
  language: v.picklist(CONTENT_LANGUAGES),
  answers: answersSchema,
})
export type PaperResponse = v.InferOutput<typeof paperSchema>

export interface ResponseTableInput {
  survey: string
  /** The file's text. */
  text: string
  /** The target for each column by position: its key, or '' to skip the column. Omitted for a preview of the file. */
  columns?: readonly string[] | undefined
}

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
  /** What a column holds: text in cells, or, in our own JSON, whole answers. */
  holds: 'cells' | 'answers'
  columns: { heading: string; samples: string[]; target: string }[]
  faults: RowFault[]
  /** Zero unless every row could be imported. */
  stored: number
  /** Rows that an earlier import stored already. */
  existing: number
}
