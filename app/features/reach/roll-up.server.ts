import { and, eq, lt, or, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { reachDays, reachSalts } from '#app/server/db/schema/reach.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { countDueDays } from './engaged-days.server.ts'
import { recordFiguresChanged } from './figures-changed.server.ts'
import { toCalendarDay } from './reach.days.server.ts'
import { sumUpSteps } from './sum-up-steps.server.ts'

/** Visits of a day's last minutes may still be buffered. */
const GRACE_MS = 10 * 60_000

/**
 * Computes the counts of each day with visits, and deletes the visitors of past days and the salt behind them; and of each day whose responses
 * changed. Adds up the weeks and months that are over. Idempotent: counts of a day are replaced, never added to.
 * @returns number of computed days
 */
export async function rollUpReach(runtime: Runtime): Promise<number> {
  let days = 0
  for (const site of await runtime.sites.loadActive()) {
    const today = toCalendarDay(site.timeZone, new Date(runtime.now().getTime() - GRACE_MS))
    const db = runtime.database.site(site.id)
    const { counted, closed } = await db.tx((tx) => rollUpSite(tx, site.id, today))
    const due = await countDueDays(db)
    // Today's counts are read again every few minutes anyway. After one of these changes, nothing else may happen on the site for days.
    if (closed || due > 0) await db.tx((tx) => recordFiguresChanged(tx, site.id, runtime.now()))
    await sumUpSteps(db, today)
    days += counted + due
  }
  return days
}

async function rollUpSite(tx: Tx, siteId: string, today: string): Promise<{ counted: number; closed: boolean }> {
  const open = await tx
    .select({ day: reachSalts.day, id: reachSalts.id, changed: reachSalts.changed })
    .from(reachSalts)
    .where(and(eq(reachSalts.siteId, siteId), or(eq(reachSalts.changed, true), lt(reachSalts.day, today))))
    .orderBy(reachSalts.day)
    .for('update')
  for (const { day, id, changed } of open) {
    const ofDay = and(eq(reachSalts.siteId, siteId), eq(reachSalts.day, day))
    if (changed) await recountDay(tx, siteId, day, id)
    if (day < today) await tx.delete(reachSalts).where(ofDay)
    else await tx.update(reachSalts).set({ changed: false }).where(ofDay)
  }
  return { counted: open.length, closed: open.some(({ day }) => day < today) }
}

/** A visitor's source is that of their first visit of the day, whatever they look at later. */
async function recountDay(tx: Tx, siteId: string, day: string, saltId: string): Promise<void> {
  await tx.delete(reachDays).where(and(eq(reachDays.siteId, siteId), eq(reachDays.day, day), eq(reachDays.saltId, saltId)))
  await tx.execute(sql`
    insert into reach_days (site_id, kind, place_id, day, salt_id, language, source, campaign, aware, informed)
    select v.site_id, v.kind, v.place_id, v.day, ${saltId}::uuid, v.language, coalesce(came.source, 'direct'), coalesce(came.campaign, ''),
      count(*), count(*) filter (where v.informed)
    from reach_visits v
    join reach_visits came on came.site_id = v.site_id and came.day = v.day and came.visitor = v.visitor
      and came.kind = 'site' and came.place_id = v.site_id
    where v.site_id = ${siteId} and v.day = ${day}
    group by v.site_id, v.kind, v.place_id, v.day, v.language, coalesce(came.source, 'direct'), coalesce(came.campaign, '')`)
}
