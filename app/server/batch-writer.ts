import { findSqlState } from './db/sql-state.ts'

/** What the database refuses of one thing in a lot, it may take of the others: wrong values (22) and constraints (23). */
const ROW_FAULT_STATE = /^2[23]/

/**
 * Writes things down several at once: while one lot is being written, the next gathers.
 * @param write takes a lot as a whole or not at all
 * @returns fulfilled once the thing is written; what keeps a lot from being written because of one of its things fails for that one alone
 */
export function createBatchWriter<T>(write: (lot: readonly T[]) => Promise<void>, most = 200): (thing: T) => Promise<void> {
  const waiting: { thing: T; done: PromiseWithResolvers<void> }[] = []
  let writing = false
  const writeBatch = async () => {
    const lot = waiting.splice(0, most)
    try {
      await write(lot.map(({ thing }) => thing))
      for (const { done } of lot) done.resolve()
    } catch (error) {
      if (lot.length > 1 && ROW_FAULT_STATE.test(findSqlState(error) ?? '')) {
        for (const { thing, done } of lot) await write([thing]).then(done.resolve, done.reject)
      } else for (const { done } of lot) done.reject(error)
    }
  }
  const drainWaiting = async () => {
    writing = true
    // What comes in the same moment belongs to the same lot.
    await new Promise((soon) => setImmediate(soon))
    while (waiting.length) await writeBatch()
    writing = false
  }
  return (thing) => {
    const done = Promise.withResolvers<void>()
    waiting.push({ thing, done })
    if (!writing) void drainWaiting()
    return done.promise
  }
}
