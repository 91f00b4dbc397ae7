import { isDatabaseDown } from '../server/db/database-down.ts'
import { describeError, type Logger } from '../server/log.ts'

/** Logs why a request failed, a defect in full and a database that is away in a word, and names the page that says so. */
export function failurePage(log: Logger, error: unknown, requestId: string): 'unavailable' | 'internal' {
  if (isDatabaseDown(error)) {
    log.warn('database unreachable', { requestId, error: describeError(error)['error'] })
    return 'unavailable'
  }
  log.error('request failed', { requestId, ...describeError(error) })
  return 'internal'
}
