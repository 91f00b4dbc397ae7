import { findSqlState } from './sql-state.ts'

const SYSTEM_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])
const LOST_CONNECTION =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|Client was closed and is not queryable|Query read timeout/

/** The database cannot do what was asked of it now, and nothing is wrong with that: it hangs, or it is a standby. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
  /** For the log. */
  readonly code: 'NO_ANSWER' | 'NO_WRITES' | 'LEFT'
  constructor(code: DatabaseAway['code'], options?: ErrorOptions) {
    super(`The database is away: ${code}`, options)
    this.code = code
  }
}

/** SQL state of a write to a server, or in a transaction, that only reads. */
const READ_ONLY = '25006'
/** What a standby refuses even to those who only read, such as tables that are not logged. */
const STANDBY = /during recovery$/

/** What a transaction that may write failed with; a server that takes no writes, such as a standby, counts as away. */
export const toAway = (thrown: unknown): unknown =>
  findSqlState(thrown) === READ_ONLY ? new DatabaseAway('NO_WRITES', { cause: thrown }) : thrown

/** SQL states of a server that is down or starting, and of statement, lock and idle timeouts. */
const BUSY_OR_AWAY = /^(08|53|57P0|57014|55P03|25P0[34])/

/** True if a thrown value or one of its causes says that the database cannot be reached right now: nothing is wrong with the request. */
export function isDatabaseDown(thrown: unknown): boolean {
  const state = findSqlState(thrown)
  if (state && BUSY_OR_AWAY.test(state)) return true
  for (let e = thrown; e instanceof Error; e = e.cause) {
    if (e instanceof DatabaseAway || STANDBY.test(e.message)) return true
    // Several addresses of one host, or several sites.
    if (e instanceof AggregateError && e.errors.length > 0 && e.errors.every(isDatabaseDown)) return true
    if ('syscall' in e && 'code' in e && SYSTEM_CODES.has(String(e.code))) return true
    if (LOST_CONNECTION.test(e.message)) return true
  }
  return false
}

/** What connecting to the database failed with: the code of such an error does not say which server was not reached. */
const connectionErrors = new WeakSet<object>()
export const noteConnectionError = (error: Error): void => void connectionErrors.add(error)

/** SQL states of a lost connection, and of a server that stops or starts. */
const AWAY = /^(08|57P0)/

/**
 * The same only for a database that cannot be reached or takes no writes: neither a statement that took too long, nor another server that was
 * not reached.
 */
export function isDatabaseAway(thrown: unknown): boolean {
  if (AWAY.test(findSqlState(thrown) ?? '')) return true
  for (let e = thrown; e instanceof Error; e = e.cause) {
    if (e instanceof DatabaseAway || STANDBY.test(e.message) || connectionErrors.has(e)) return true
    if (LOST_CONNECTION.test(e.message) && !isQueryLost(e)) return true
    if (e instanceof AggregateError && e.errors.length > 0 && e.errors.every(isDatabaseAway)) return true
  }
  return false
}

/** True if we stopped waiting for a statement's answer: it may still arrive, so the connection is no longer usable. */
export function isQueryLost(thrown: unknown): thrown is Error {
  for (let e = thrown; e instanceof Error; e = e.cause) if (e.message === 'Query read timeout') return true
  return false
}
