import { findSqlState } from './db/sql-state.ts'

/** Errors caused by a single item: invalid values (class 22) and constraint violations (class 23). The others may still be written. */
const ROW_FAULT_STATE = /^2[23]/

/**
 * Writes items in batches: while one batch is being written, the next one fills up.
 * @param write writes a batch completely or not at all
 * @returns a function whose promise resolves once the item is written; if one item breaks a batch, only that item is rejected
 */
export function createBatchWriter<T>(write: (batch: readonly T[]) => Promise<void>, most = 200): (thing: T) => Promise<void> {
  const waiting: { thing: T; done: PromiseWithResolvers<void> }[] = []
  let writing = false
  const writeBatch = async () => {
    const batch = waiting.splice(0, most)
    try {
      await write(batch.map(({ thing }) => thing))
      for (const { done } of batch) done.resolve()
    } catch (error) {
      if (batch.length > 1 && ROW_FAULT_STATE.test(findSqlState(error) ?? '')) {
        for (const { thing, done } of batch) await write([thing]).then(done.resolve, done.reject)
      } else for (const { done } of batch) done.reject(error)
    }
  }
  const drainWaiting = async () => {
    writing = true
    // Collects everything that arrives in the same tick into one batch.
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
