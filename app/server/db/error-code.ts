import type { ErrorCode } from '../../lib/error-catalogue.ts'
import { isDatabaseDown } from './database-down.ts'
import { findSqlState } from './sql-state.ts'

/** The code for an unknown thrown value. Input that only the database rejects is still bad input: a second net below the schemas. */
export function toErrorCode(thrown: unknown): ErrorCode {
  const state = findSqlState(thrown)
  if (state?.startsWith('22') || state === '23514' || state === '23502') return 'invalid'
  if (state === '23505' || state === '23503') return 'conflict'
  return isDatabaseDown(thrown) ? 'unavailable' : 'internal'
}
