import * as v from 'valibot'
import type { Fault } from '#app/lib/app-error.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { answersSchema, sendKeySchema } from '../surveys.schema.ts'

/** The largest table of responses that is read, in bytes: it must fit into one request. */
export const LARGEST_TABLE = 1_500_000
export const MAX_ROWS = 20_000

/** A response that somebody gave on paper. The id is made up by who types it in: sent twice it is stored once. */
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
  /** What each column holds, by its place: a target's key, or '' where it is left out. None yet, to be told what the file has. */
  columns: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(2000))),
})
export type ResponseTableInput = v.InferOutput<typeof tableSchema>

/** What keeps a row from being taken. */
export interface RowFault {
  /** As a spreadsheet counts, the head being the first. */
  row: number
  column: string
  code: Fault['code']
  values?: Record<string, string | number>
}

export interface ResponseTableReport {
  rows: number
  columns: { heading: string; samples: string[]; target: string }[]
  faults: RowFault[]
  /** None unless every row could be taken. */
  stored: number
}
