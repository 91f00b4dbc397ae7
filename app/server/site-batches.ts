import { setTimeout } from 'node:timers/promises'
import { AppError } from '../lib/app-error.ts'
import type { Database } from './db/client.ts'

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
 * Stores what arrives for a site in batches: items that arrive during one transaction share the next one, so under load counters are
 * written once per batch rather than once per item. If a batch fails, each of its items is stored by itself, so that one bad item does not
 * block the others.
 * @param storeBatch stores a batch in one transaction, and returns the outcomes in the order of the items
 * @returns a function that resolves once its item is stored, and rejects with the `AppError` that refused it
 */
export function createSiteBatches<Item, Result>(
  storeBatch: (database: Database, siteId: string, items: readonly Item[]) => Promise<BatchOutcome<Result>[]>,
): (database: Database, siteId: string, item: Item) => Promise<Result> {
  type Waiting = WaitingItem<Item, Result>
  const queues = new WeakMap<Database, Map<string, Waiting[]>>()

  const settleBatch = async (database: Database, siteId: string, batch: readonly Waiting[]) => {
    const outcomes = await storeBatch(
      database,
      siteId,
      batch.map(({ item }) => item),
    )
    for (const [index, { settle }] of batch.entries()) settle(outcomes[index] ?? new AppError('internal'))
  }
  const drainQueue = async (database: Database, siteId: string, sites: Map<string, Waiting[]>, queue: Waiting[]) => {
    for (let before = 0; queue.length > 0;) {
      if (before > 1) await setTimeout(GATHER_MS)
      const batch = queue.splice(0, MAX_AT_ONCE)
      before = batch.length
      try {
        await settleBatch(database, siteId, batch)
      } catch (error) {
        if (batch.length === 1) batch[0]?.fail(error)
        else for (const waiting of batch) await settleBatch(database, siteId, [waiting]).catch(waiting.fail)
      }
    }
    // In the same step as the last look at the queue: what is added to a queue that nobody drains would wait for ever.
    sites.delete(siteId)
  }
  return async (database, siteId, item) => {
    const sites = queues.get(database) ?? new Map<string, Waiting[]>()
    queues.set(database, sites)
    const outcome = await new Promise<BatchOutcome<Result>>((settle, fail) => {
      const queue = sites.get(siteId)
      if (queue) return void queue.push({ item, settle, fail })
      const first = [{ item, settle, fail }]
      sites.set(siteId, first)
      void drainQueue(database, siteId, sites, first)
    })
    if (outcome instanceof AppError) throw outcome
    return outcome
  }
}
