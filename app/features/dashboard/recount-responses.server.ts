import { sql } from 'drizzle-orm'
import { correctContributionCounts } from '#app/features/contributions/record/contribution-counts.server.ts'
import { countEngagedDay, selectContributionDays } from '#app/features/reach/engaged-days.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { type CountedTable, replaceDiffering } from '#app/server/db/replace-differing.ts'
import { runOnEachSite, runOnSites } from '#app/server/jobs/each-site.ts'
import { loadSitesWithWork } from '#app/server/jobs/sites-with-work.ts'
import type { Runtime } from '#app/server/runtime.ts'
import {
  engagedDays,
  engagedDaysDue,
  placePeople,
  projectPeople,
  responseChanges,
  responseDays,
  responseRecounts,
  responseTotals,
} from '#app/server/db/schema/response-figures.ts'
import { applyChanges, lockFigures, selectPeopleOfPlaces } from './apply-changes.server.ts'

/** After this long, a run starts no further site. */
const CHECK_FOR_MS = 30_000
/** Reach is shown for a year. */
const REACH_DAYS_KEPT = 366

/** Whether the site's figures were ever counted, and by the days of its present time zone. */
export async function isCountedByCalendar(tx: Tx, siteId: string): Promise<boolean> {
  const { rows } = await tx.execute(
    sql`select 1 from ${responseRecounts} c join sites s on s.id = c.site_id and s.time_zone = c.time_zone where c.site_id = ${siteId}`,
  )
  return rows.length > 0
}

/**
 * Counts sites that were never counted, or by the days of another time zone, from their responses: new sites, and all of them after the database
 * crashed or was restored. Run by a job. @returns number of figures that were written
 */
export const recountResponses = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => ((await ctx.db.read((tx) => isCountedByCalendar(tx, ctx.site.id))) ? 0 : recountSite(ctx)))

/**
 * Compares each site's figures with its responses, and the counts of its contributions with reactions and replies, during the night there, starting with the site that was checked longest ago. They should
 * never differ: a difference is repaired and logged. Run by a job. @returns number of figures that differed
 */
export async function checkFigures(runtime: Runtime, ending?: AbortSignal): Promise<number> {
  const due = await loadSitesWithWork(runtime, 'check-figures')
  const places = new Map(due.map((id, place) => [id, place]))
  const sites = await runtime.sites.narrowTo(() => Promise.resolve(due)).loadActive()
  const inOrder = sites.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
  const until = performance.now() + CHECK_FOR_MS
  return runOnSites(runtime, inOrder, async (ctx) => (performance.now() < until && !ending?.aborted ? checkSite(ctx) : 0))
}

async function checkSite(ctx: Ctx): Promise<number> {
  const differing = (await recountSite(ctx)) + (await checkReach(ctx))
  if (differing > 0) ctx.runtime.log.error('figures about responses differed from the responses', { siteId: ctx.site.id, differing })
  const wrong = await correctContributionCounts(ctx.db)
  if (wrong.length > 0)
    ctx.runtime.log.error('counts of contributions differed from reactions and replies', {
      siteId: ctx.site.id,
      differing: wrong.length,
      contributions: wrong.slice(0, 10).map(({ id }) => id),
    })
  return differing + wrong.length
}

/** Counts a site's figures from its responses, and writes those that differ. @returns how many differed */
export const recountSite = (ctx: Ctx): Promise<number> =>
  ctx.db.tx(async (lock) => {
    await lockFigures(lock, ctx.site.id)
    // In a transaction of its own, whose snapshot is taken after the lock.
    return ctx.db.tx((tx) => recountLockedSite(ctx, tx))
  })

async function recountLockedSite({ site: { id: siteId }, now }: Ctx, tx: Tx): Promise<number> {
  // One snapshot: a response is in it if and only if its change is.
  await tx.execute(sql`set transaction isolation level repeatable read`)
  await applyChanges(tx, siteId, now())
  const counted = sql`
      select q.project_id, r.user_id, (r.submitted_at at time zone s.time_zone)::date as day
      from responses r join surveys q on q.site_id = r.site_id and q.id = r.survey_id join sites s on s.id = r.site_id
      where r.site_id = ${siteId} and r.withdrawn_at is null and r.counted`
  const people = sql`select project_id, user_id from (${counted}) given where user_id is not null`
  const tables: CountedTable[] = [
    {
      table: responseDays,
      keys: ['day', 'project_id'],
      values: ['responses'],
      counted: sql`select ${siteId}::uuid as site_id, day, project_id, count(*)::int as responses from (${counted}) given group by day, project_id`,
    },
    {
      table: responseTotals,
      keys: ['project_id'],
      values: ['responses', 'without_account'],
      counted: sql`
          select ${siteId}::uuid as site_id, project_id, count(*)::int as responses, count(*) filter (where user_id is null)::int as without_account
          from (${counted}) given group by project_id`,
    },
    {
      table: projectPeople,
      keys: ['project_id', 'user_id'],
      values: ['responses'],
      counted: sql`select ${siteId}::uuid as site_id, project_id, user_id, count(*)::int as responses from (${people}) given group by project_id, user_id`,
    },
    { table: placePeople, keys: ['place_id'], values: ['people'], counted: selectPeopleOfPlaces(siteId, people) },
  ]
  let differing = 0
  for (const table of tables) differing += await replaceDiffering(tx, siteId, table)
  const at = now().toISOString()
  const first = await isCountedByCalendar(tx, siteId)
  await tx.execute(sql`
      insert into ${responseRecounts} (site_id, time_zone, changed_at, recounted_at)
      select id, time_zone, ${at}, ${at} from sites where id = ${siteId}
      on conflict (site_id) do update set time_zone = excluded.time_zone, recounted_at = excluded.recounted_at,
        changed_at = case when ${differing > 0} then excluded.changed_at else response_recounts.changed_at end`)
  if (!first)
    await tx.execute(sql`
        insert into ${engagedDaysDue} (site_id, day)
        select distinct site_id, day from ${responseDays} where site_id = ${siteId} and day > ${at}::date - ${REACH_DAYS_KEPT}::int
        union select site_id, day from (${selectContributionDays(siteId)}) given where day > ${at}::date - ${REACH_DAYS_KEPT}::int
        union select distinct site_id, day from ${engagedDays} where site_id = ${siteId}
        on conflict do nothing`)
  return differing
}

/** The same for reach, day by day: each day is a short transaction. */
async function checkReach({ db, site }: Ctx): Promise<number> {
  const days = await db.read(async (tx) => {
    const { rows } = await tx.execute<{ day: string }>(sql`
      select to_char(day, 'YYYY-MM-DD') as day from (
        select day from ${responseDays} where site_id = ${site.id} union select day from ${engagedDays} where site_id = ${site.id}
        union select day from (${selectContributionDays(site.id)}) given) known
      where day > now()::date - ${REACH_DAYS_KEPT}::int`)
    return rows.map(({ day }) => day)
  })
  let differing = 0
  for (const day of days) {
    differing += await db.tx(async (tx) => {
      await tx.execute(sql`set transaction isolation level repeatable read`)
      // A day with changes will be counted anyway.
      const { rows } = await tx.execute(sql`
        select 1 from ${responseChanges} where site_id = ${site.id} and (day = ${day} or day is null)
        union all select 1 from ${engagedDaysDue} where site_id = ${site.id} and day = ${day} limit 1`)
      return rows.length > 0 ? 0 : countEngagedDay(tx, site.id, day)
    })
  }
  return differing
}
