import type { OutgoingAnswer } from '#app/server/outgoing/send-outgoing.ts'
import type { DatasetColumn, DatasetFacts, FoundDatasets, PortalFaultCode } from '../opencities.schema.ts'
import type { PortalReader } from './portal-reader.server.ts'

/** Where a copy that was cut short goes on: what it means is the portal kind's own matter. */
export type Cursor = Readonly<Record<string, string | number>>

/** A record as the portal gives it, by the portal's own names of its columns. */
export type SourceRow = Readonly<Record<string, unknown>>

export interface RowBatch {
  rows: SourceRow[]
  /** Where the next batch begins. */
  cursor: Cursor
}

/** What a portal said to tell one state of a dataset from another: sent back, it saves a copy of what has not changed. */
export interface Validators {
  etag?: string
  modified?: string
}

export interface RowRequest {
  /** Of the columns that are wanted; others may come and are not kept. */
  columns: readonly Pick<DatasetColumn, 'key' | 'type'>[]
  /** Undefined: from the beginning. */
  cursor: Cursor | undefined
  /** Of the copy at hand. Only where it is asked for from the beginning. */
  validators: Validators | undefined
}

/** `rows` of a dataset that is as it was the last time. */
export const UNCHANGED = 'unchanged'

export interface RowAnswer {
  validators: Validators
  batches: AsyncGenerator<RowBatch, void, undefined>
}

/** One kind of portal. Everything throws `PortalFault` or `OutgoingFault`, and nothing is believed that was not looked at. */
export interface Portal {
  /** The portal that answers at an address in this kind's own way: where its catalogue is, and what it calls itself. */
  detect(reader: PortalReader, address: string): Promise<{ url: string; name: string } | undefined>
  search(reader: PortalReader, url: string, query: { words: string; page: number; size: number }): Promise<FoundDatasets>
  describe(reader: PortalReader, url: string, id: string): Promise<DatasetFacts>
  rows(reader: PortalReader, url: string, id: string, request: RowRequest): Promise<RowAnswer | typeof UNCHANGED>
  /** How a token is shown to this kind of portal. */
  credentials(token: string): Record<string, string>
}

/** What a portal did wrong. The message is for the log; people are told by `code`. */
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

/** Whether asking again later may help, going on where it broke off. */
export const isTransient = (code: PortalFaultCode): boolean =>
  code === 'portal-unreachable' || code === 'portal-too-slow' || code === 'portal-busy' || code === 'portal-down'

export const toValidators = ({ headers }: Pick<OutgoingAnswer, 'headers'>): Validators => ({
  ...(headers.etag ? { etag: headers.etag.slice(0, 300) } : {}),
  ...(headers['last-modified'] ? { modified: headers['last-modified'].slice(0, 100) } : {}),
})
