import pLimit from 'p-limit'

interface ConcurrencyLimitOptions {
  /** Most tasks that run at the same time. */
  atOnce: number
  /** Most tasks that wait for their turn. */
  waiting: number
  /** Creates the error for a task that is refused because the queue is full. */
  full: () => Error
}

/** Runs a task when it is its turn, first come, first served. */
export type ConcurrencyLimit = <T>(task: () => Promise<T>) => Promise<T>

/** Lets a bounded number of tasks run at once and a bounded number wait. */
export function createConcurrencyLimit({ atOnce, waiting, full }: ConcurrencyLimitOptions): ConcurrencyLimit {
  const limit = pLimit(atOnce)
  return async (task) => {
    if (limit.activeCount + limit.pendingCount >= atOnce + waiting) throw full()
    return limit(task)
  }
}
