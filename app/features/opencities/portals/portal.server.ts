import type { OutgoingAnswer } from '#app/server/outgoing/send-outgoing.ts'
import type { DatasetColumn, DatasetFacts, FoundDatasets, PortalFaultCode } from '../opencities.schema.ts'
import type { PortalReader } from './portal-reader.server.ts'

/** Where an interrupted copy resumes; only its kind of portal knows what it means. */
export type Cursor = Readonly<Record<string, string | number>>

/** A record as the portal sends it, keyed by the portal's column names. */
export type SourceRow = Readonly<Record<string, unknown>>

export interface RowBatch {
  rows: SourceRow[]
  /** Where the next batch starts. */
  cursor: Cursor
}

/** The portal's ETag and Last-Modified for a dataset: sending them back avoids copying unchanged data. */
export interface Validators {
  etag?: string
  modified?: string
}

export interface RowRequest {
  /** The wanted columns; others may come and are dropped. */
  columns: readonly Pick<DatasetColumn, 'key' | 'type'>[]
  /** Undefined: from the beginning. */
  cursor: Cursor | undefined
  /** Those of the current copy. Only set when reading from the beginning. */
  validators: Validators | undefined
}

/** The result of `rows` if the dataset has not changed. */
export const UNCHANGED = 'unchanged'

export interface RowAnswer {
  validators: Validators
  batches: AsyncGenerator<RowBatch, void, undefined>
}

/** One kind of portal. All methods throw `PortalFault` or `OutgoingFault`, and check everything in an answer before they use it. */
export interface Portal {
  /** Recognises a portal of this kind at an address: returns where its catalogue is and the name it gives itself. */
  detect(reader: PortalReader, address: string): Promise<{ url: string; name: string } | undefined>
  search(reader: PortalReader, url: string, query: { words: string; page: number; size: number }): Promise<FoundDatasets>
  describe(reader: PortalReader, url: string, id: string): Promise<DatasetFacts>
  rows(reader: PortalReader, url: string, id: string, request: RowRequest): Promise<RowAnswer | typeof UNCHANGED>
  /** The headers that carry a token for this kind of portal. */
  credentials(token: string): Record<string, string>
}

/** What a portal did wrong. The message is for the log; people see the text of `code`. */
export class PortalFault extends Error {
  override readonly name = 'PortalFault'
  readonly code: PortalFaultCode
  /** Seconds the portal asks us to wait. */
  readonly retryAfter: number | undefined

  constructor(code: PortalFaultCode, detail: string, retryAfter?: number) {
    super(`${code}: ${detail}`)
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** True if a later retry may help; it resumes where this attempt stopped. */
export const isTransient = (code: PortalFaultCode): boolean =>
  code === 'portal-unreachable' || code === 'portal-too-slow' || code === 'portal-busy' || code === 'portal-down'

export const toValidators = ({ headers }: Pick<OutgoingAnswer, 'headers'>): Validators => ({
  ...(headers.etag ? { etag: headers.etag.slice(0, 300) } : {}),
  ...(headers['last-modified'] ? { modified: headers['last-modified'].slice(0, 100) } : {}),
})
