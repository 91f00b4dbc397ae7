import type api from '../../locales/en/api.json'
import type { ErrorCode } from './error-catalogue.ts'
import { getErrorStatus } from './error-status.ts'

export type DetailKey = keyof (typeof api)['details']

/** A sentence of `locales/{language}/api.json` with what to insert, or the sentence of another fault. */
export type DetailText =
  | { key: DetailKey; values?: Record<string, string | number>; fault?: undefined }
  | { fault: Pick<Fault, 'code' | 'values'>; key?: undefined }

/** One fault of a request, as a JSON:API error object and a form both show it. */
export interface Fault {
  code: ErrorCode
  /** What exactly is wrong, beyond the translated title of `code`. The API sends a `DetailText` in the language of the request, and no plain text. */
  detail?: string | DetailText
  /** JSON pointer into the request body, e.g. `/data/attributes/email`. */
  pointer?: string
  parameter?: string
  /** Numbers and names to insert into the translated title, e.g. `{ max: 200 }`. */
  values?: Record<string, string | number>
}

/** Most faults of one error: nobody reads more, and each is translated and sent. */
export const MAX_FAULTS = 100

/**
 * The one error that crosses Parley's layers. It carries a stable `code` of the catalogue and its HTTP `status`. Anything else that is
 * thrown is a defect: transports log it and answer `internal`.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  readonly faults: readonly Fault[]
  /** Extra members of the answer, e.g. both versions of a stale save. */
  readonly meta: Record<string, unknown> | undefined

  constructor(code: ErrorCode, options: Omit<Fault, 'code'> & { faults?: readonly Fault[]; meta?: Record<string, unknown> } = {}) {
    super(typeof options.detail === 'string' ? options.detail : (options.detail?.key ?? code))
    const { faults, meta, ...own } = options
    this.code = code
    this.status = getErrorStatus(code)
    this.faults = faults?.length ? faults.slice(0, MAX_FAULTS) : [{ code, ...own }]
    this.meta = meta
  }
}

/** True for an AppError, even from another copy of this module; optionally only for one code. */
export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return (
    error instanceof Error && error.name === 'AppError' && 'faults' in error && (code === undefined || (error as AppError).code === code)
  )
}
