import { and, desc, eq, sql } from 'drizzle-orm'
import type { SiteDb, Tx } from '#app/server/db/client.ts'
import { replaceDiffering } from '#app/server/db/replace-differing.ts'
import { reachSteps, reachStepStates } from '#app/server/db/schema/reach.ts'
import { selectReachByDay } from './reach.figures.server.ts'
import { findNextStart, type ReachStep } from './reach-steps.server.ts'

/**
 * Adds up the weeks and months that are over and changed since, each in a transaction of its own, newest first.
 * @param today in the site's calendar
 * @returns number of steps
 */
export async function sumUpSteps(db: SiteDb, today: string): Promise<number> {
  const { siteId } = db
  const { siteId: site, step, start, isCurrent } = reachStepStates
  const outdated = await db.read((tx) =>
    tx
      .select({ step, start })
      .from(reachStepStates)
      .where(and(eq(site, siteId), eq(isCurrent, false)))
      .orderBy(desc(start)),
  )
  const due = outdated.filter((row) => findNextStart(row.start, row.step) <= today)
  for (const row of due) {
    await db.tx(async (tx) => {
      // First: a change of one of its days from now on waits until this transaction ends, and then marks the sum outdated again.
      await tx
        .update(reachStepStates)
        .set({ isCurrent: true })
        .where(and(eq(site, siteId), eq(step, row.step), eq(start, row.start)))
      await sumUpStep(tx, siteId, row)
    })
  }
  return due.length
}

async function sumUpStep(tx: Tx, siteId: string, { step, start }: { step: ReachStep; start: string }): Promise<void> {
  const end = findNextStart(start, step)
  await replaceDiffering(tx, siteId, {
    table: reachSteps,
    keys: ['kind', 'place_id', 'step', 'start', 'language'],
    values: ['aware_seen', 'informed_seen', 'aware', 'informed', 'engaged'],
    where: sql`k.step = ${step} and k.start = ${start}::date`,
    counted: sql`
      select ${siteId}::uuid as site_id, kind, place_id, ${step}::text as step, ${start}::date as start, language,
        sum(aware_seen)::int as aware_seen, sum(informed_seen)::int as informed_seen,
        sum(aware)::int as aware, sum(informed)::int as informed, sum(engaged)::int as engaged
      from (${selectReachByDay(sql`site_id = ${siteId} and day >= ${start}::date and day < ${end}::date`)}) days
      group by kind, place_id, language`,
  })
}
