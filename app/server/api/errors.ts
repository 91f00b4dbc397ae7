import { AppError, isAppError, type Fault } from '../../lib/app-error.ts'
import { getErrorStatus } from '../../lib/error-status.ts'
import type { Language } from '../../lib/languages.ts'
import { toErrorCode } from '../db/error-code.ts'
import { describeError, type Logger } from '../log.ts'
import { RETRY_AFTER_SECONDS } from '../retry-after.ts'
import type { ErrorObject } from './protocol.ts'
import { formatFaultDetail, formatFaultTitle } from './fault-titles.ts'

export interface ErrorAnswer {
  status: number
  errors: ErrorObject[]
  headers: Record<string, string>
}

/** Turns any thrown value into JSON:API errors. Anything but an AppError is a defect: it is logged, and clients see no details. */
export function toErrorAnswer(thrown: unknown, request: { language: Language; requestId: string; log: Logger }): ErrorAnswer {
  const error = isAppError(thrown) ? thrown : logUnknownError(thrown, request)
  const errors = error.faults.map((fault) => buildErrorObject(fault, error, request))
  return { status: resolveStatus(error), errors, headers: buildErrorHeaders(error) }
}

function buildErrorObject(fault: Fault, error: AppError, { language, requestId }: { language: Language; requestId: string }): ErrorObject {
  const source = {
    ...(fault.pointer === undefined ? {} : { pointer: fault.pointer }),
    ...(fault.parameter === undefined ? {} : { parameter: fault.parameter }),
  }
  const detail = formatFaultDetail(fault, language)
  const meta = { ...(fault.values ? { values: fault.values } : {}), ...error.meta }
  return {
    ...(getErrorStatus(fault.code) >= 500 ? { id: requestId } : {}),
    status: String(getErrorStatus(fault.code)),
    code: fault.code,
    title: formatFaultTitle(fault, language),
    ...(detail === undefined ? {} : { detail }),
    ...(Object.keys(source).length > 0 ? { source } : {}),
    ...(Object.keys(meta).length > 0 ? { meta } : {}),
  }
}

/** The status shared by all faults, or the error's own if they differ. */
function resolveStatus(error: AppError): number {
  const statuses = new Set(error.faults.map((fault) => getErrorStatus(fault.code)))
  const [only] = statuses
  return statuses.size === 1 && only !== undefined ? only : error.status
}

function buildErrorHeaders(error: AppError): Record<string, string> {
  const after = error.meta?.['retryAfter'] ?? (error.status === 503 ? RETRY_AFTER_SECONDS : undefined)
  return {
    ...(error.status === 401
      ? { 'www-authenticate': `Bearer realm="parley"${error.meta?.['token'] === 'invalid' ? ', error="invalid_token"' : ''}` }
      : {}),
    ...(typeof after === 'number' ? { 'retry-after': String(Math.max(1, Math.ceil(after))) } : {}),
  }
}

/** Bad input that only the database caught is worth a log entry too. */
function logUnknownError(thrown: unknown, { requestId, log }: { requestId: string; log: Logger }): AppError {
  const code = toErrorCode(thrown)
  // Outages are logged elsewhere, once, however many requests they fail.
  const level = code === 'internal' ? 'error' : code === 'unavailable' ? 'debug' : 'warn'
  log[level](`api request failed: ${code}`, { requestId, ...describeError(thrown) })
  return new AppError(code)
}
