import { isDatabaseDown } from '../server/db/database-down.ts'
import { describeError, type Logger } from '../server/log.ts'
import { QueueFull } from './fair-queue.ts'

/** Logs why a request failed, a defect as an error and a database outage only at debug level, and returns the page that says so. */
export function reportFailure(log: Logger, error: unknown, requestId: string): 'busy' | 'unavailable' | 'internal' {
  if (error instanceof QueueFull) return 'busy'
  if (isDatabaseDown(error)) {
    log.debug('database unreachable', { requestId, ...describeError(error), stack: undefined })
    return 'unavailable'
  }
  log.error('request failed', { requestId, ...describeError(error) })
  return 'internal'
}
