import { setTimeout as wait } from 'node:timers/promises'
import type { Ctx } from './context.ts'
import type { Database } from './db/client.ts'
import { isDatabaseDown } from './db/database-down.ts'
import { findSqlState } from './db/sql-state.ts'
import { loadLogPlace, measureLag } from './db/standby.ts'
import { describeError } from './log.ts'

/** How long a standby may take to repeat what is committed already, before the database that takes writes is read instead. */
const CATCH_UP_WITHIN_MS = 2000
const ASK_EVERY_MS = 25
/** What a standby ends a statement with that reads rows which it has to remove, or that holds up what it repeats. */
const CONFLICTS = new Set(['40001', '40P01'])

/**
 * Runs `work`, which only reads and may run twice, on the standby of `DATABASE_READ_URL`: it sees everything that was committed before this was
 * called. Without a standby, or if it is late, away or breaks off, `work` runs on the database that takes writes (decision 0282).
 */
export async function readFromStandby<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { database, standby, log } = ctx.runtime
  // What an open transaction has written is nowhere else.
  if (!standby || ctx.db.isJoined) return work(ctx)
  try {
    const isLate = wait(CATCH_UP_WITHIN_MS, false, { ref: false })
    if (await Promise.race([hasCaughtUp(database, standby), isLate])) return await work({ ...ctx, db: standby.site(ctx.db.siteId) })
    log.warn('the standby is late, or repeats nothing: its readers use the database that takes writes')
  } catch (error) {
    if (!isDatabaseDown(error) && !CONFLICTS.has(findSqlState(error) ?? '')) throw error
    log.warn('the standby cannot be read: its readers use the database that takes writes', describeError(error))
  }
  return work(ctx)
}

/** Waits until the standby has everything that is committed now. A server that repeats nothing may be one that was replaced: it is not read. */
async function hasCaughtUp(database: Database, standby: Database): Promise<boolean> {
  const place = await loadLogPlace(database.pool)
  for (const until = Date.now() + CATCH_UP_WITHIN_MS; Date.now() < until; await wait(ASK_EVERY_MS, undefined, { ref: false })) {
    const lag = await measureLag(standby.pool, place)
    if (lag === undefined) return false
    if (lag <= 0) return true
  }
  return false
}
