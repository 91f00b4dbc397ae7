import * as v from 'valibot'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { idSchema } from '#app/lib/uuid.ts'

/** Everyone in a file may be sent an invitation at once. */
export const MAX_CONTACTS = 2000
/** In characters. */
export const LARGEST_CONTACTS = 400_000

export const contactsInputSchema = v.object({
  text: v.pipe(v.string(), v.maxLength(LARGEST_CONTACTS)),
  /** False to only check the file. */
  store: v.boolean(),
  /** How and when they agreed to news by email; empty if they did not. */
  consent: v.pipe(v.string(), v.trim(), v.maxLength(500)),
  /** Emails everyone new a link to choose a password. */
  invite: v.boolean(),
  /** A group that everyone in the file is added to. */
  group: v.nullable(idSchema),
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
}

export interface ContactsReport {
  lines: ContactLine[]
  /** Only if every line can be imported, and it was asked for. */
  isStored: boolean
}
