import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../server/db/client.ts'
import { sites } from '../../server/db/schema/sites.ts'
import { StartupFault } from '../../server/startup-fault.ts'

/** By then every process knows that the site takes no writes, and requests that came before are answered. */
const SETTLE_MS = 5000
const GIVE_UP_AFTER_MS = 60_000
const ASK_EVERY_MS = 200

export interface HoldTimes {
  settleMs: number
  giveUpAfterMs: number
}

/**
 * Runs `work` while the site can be read but not written to: writes are refused with 503, and its jobs wait. It stays so after `work`, until it
 * has moved or is opened again; if `work` fails, it is open again.
 */
export async function whileHeld<T>(
  database: Database,
  siteId: string,
  work: () => Promise<T>,
  { settleMs, giveUpAfterMs }: HoldTimes = { settleMs: SETTLE_MS, giveUpAfterMs: GIVE_UP_AFTER_MS },
): Promise<T> {
  const held = await setStatus(database, siteId, 'active', 'moving')
  try {
    if (held) {
      const { rows } = await database.global.execute<{ at: Date }>(sql`select clock_timestamp() as at`)
      await wait(settleMs)
      await waitForOlderWork(database, rows[0]?.at ?? new Date(), giveUpAfterMs)
    }
    return await work()
  } catch (error) {
    if (held) await setStatus(database, siteId, 'moving', 'active').catch(() => false)
    throw error
  }
}

/** @returns false if it was not in that state */
export async function setStatus(database: Database, siteId: string, from: string, to: string): Promise<boolean> {
  const changed = await database.global
    .update(sites)
    .set({ status: to })
    .where(and(eq(sites.id, siteId), eq(sites.status, from)))
    .returning({ id: sites.id })
  return changed.length > 0
}

/** Transactions that began before the site was held may still write to it. */
async function waitForOlderWork(database: Database, since: Date, giveUpAfterMs: number): Promise<void> {
  const deadline = Date.now() + giveUpAfterMs
  for (;;) {
    const { rows } = await database.global.execute<{ count: string }>(
      sql`select count(*) as count from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
          and pid <> pg_backend_pid() and xact_start < ${since}`,
    )
    if (Number(rows[0]?.count) === 0) return
    if (Date.now() > deadline)
      throw new StartupFault(
        'A transaction that began before is still open on the database: the site takes writes again. Try again when it is over, such as a backup.',
      )
    await wait(ASK_EVERY_MS)
  }
}
