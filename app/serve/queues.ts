import { FairQueue } from './fair-queue.ts'

/** Work that is queued fairly. Files and stored pages never wait for it. */
export interface Queues {
  /** Page rendering: each page occupies the process for a while. */
  pages: FairQueue
  /** Everything else: the API, server functions, forms, pictures and downloads. */
  calls: FairQueue
}

const CALL_PATHS = /^\/(api|_serverFn|media|answer-files)(\/|$)/

export const createQueues = (): Queues => ({
  pages: new FairQueue({ running: 2, waiting: { total: 256, site: 192, client: 32 }, waitMs: 2000, slotMs: 1000, freed: 0 }),
  calls: new FairQueue({ running: 6, waiting: { total: 2048, site: 1536, client: 512 }, waitMs: 2500, slotMs: 500, freed: 200 }),
})

export const selectQueue = (queues: Queues, method: string | undefined, pathname: string): FairQueue =>
  (method === 'GET' || method === 'HEAD') && !CALL_PATHS.test(pathname) ? queues.pages : queues.calls
