import { setImmediate, setTimeout } from 'node:timers/promises'
import { AppError } from '../lib/app-error.ts'
import type { Database } from './db/client.ts'
import { isDatabaseDown } from './db/database-down.ts'

/** What became of one item: its result, or why it was refused while the others of its batch were not. */
export type BatchOutcome<Result> = Result | AppError

interface WaitingItem<Item, Result> {
  item: Item
  settle: (outcome: BatchOutcome<Result>) => void
  fail: (error: unknown) => void
}

const MAX_AT_ONCE = 200
/** Under load, requests that have reached the process but are not read yet join the next batch: a sixth more are stored a second. */
const GATHER_MS = 1

/**
 * Stores items in batches: those that arrive while one batch is stored share the next one, so under load what they have in common is written
 * once for each batch. If a batch fails, each of its items is stored by itself, so that one bad item does not block the others; unless the
 * database cannot be reached: then all of them fail.
 * @param store stores a batch in one transaction, and returns the outcomes in the order of the items; nothing if items have no result
 * @returns a function that resolves once its item is stored, and rejects with the `AppError` that refused it
 */
export function createBatches<Item, Result = void>(
  store: (items: readonly Item[]) => Promise<readonly BatchOutcome<Result>[] | void>,
): (item: Item) => Promise<Result> {
  type Waiting = WaitingItem<Item, Result>
  const queue: Waiting[] = []
  let isStoring = false

  const storeBatch = async (batch: readonly Waiting[]) => {
    const outcomes = await store(batch.map(({ item }) => item))
    for (const [index, { settle }] of batch.entries())
      settle(outcomes ? (outcomes[index] ?? new AppError('internal')) : (undefined as Result))
  }
  const drainQueue = async () => {
    isStoring = true
    for (let before = 0; queue.length > 0;) {
      await (before > 1 ? setTimeout(GATHER_MS) : setImmediate())
      const batch = queue.splice(0, MAX_AT_ONCE)
      before = batch.length
      try {
        await storeBatch(batch)
      } catch (error) {
        if (batch.length === 1 || isDatabaseDown(error)) for (const { fail } of batch) fail(error)
        else for (const waiting of batch) await storeBatch([waiting]).catch(waiting.fail)
      }
    }
    // In the same step as the last look at the queue: what is added to a queue that nothing drains would wait for ever.
    isStoring = false
  }
  return async (item) => {
    const outcome = await new Promise<BatchOutcome<Result>>((settle, fail) => {
      queue.push({ item, settle, fail })
      if (!isStoring) void drainQueue()
    })
    if (outcome instanceof AppError) throw outcome
    return outcome
  }
}

/** The same for items of many sites: each site has a queue of its own. */
export function createSiteBatches<Item, Result>(
  storeBatch: (database: Database, siteId: string, items: readonly Item[]) => Promise<readonly BatchOutcome<Result>[]>,
): (database: Database, siteId: string, item: Item) => Promise<Result> {
  const databases = new WeakMap<Database, Map<string, (item: Item) => Promise<Result>>>()
  return (database, siteId, item) => {
    const sites = databases.get(database) ?? new Map<string, (item: Item) => Promise<Result>>()
    databases.set(database, sites)
    const store = sites.get(siteId) ?? createBatches((items) => storeBatch(database, siteId, items))
    sites.set(siteId, store)
    return store(item)
  }
}
