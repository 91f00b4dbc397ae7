import { sqlState } from './sql-state.ts'

const SYSTEM_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])
const LOST =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end/

/** Whether a thrown value, or what caused it, says that the database cannot be reached just now: nothing is wrong with the request. */
export function isDatabaseDown(thrown: unknown): boolean {
  const state = sqlState(thrown)
  if (state && /^(08|53|57P0)/.test(state)) return true
  for (let e = thrown; e instanceof Error; e = e.cause) {
    const first: unknown = e instanceof AggregateError ? e.errors[0] : e
    if (first instanceof Error && 'syscall' in first && 'code' in first && SYSTEM_CODES.has(String(first.code))) return true
    if (LOST.test(e.message)) return true
  }
  return false
}
