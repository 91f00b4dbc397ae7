import { sql } from 'drizzle-orm'
import type { SiteDb, Tx } from '#app/server/db/client.ts'
import { replaceDiffering } from '#app/server/db/replace-differing.ts'
import { engagedDays, engagedDaysDue } from '#app/server/db/schema/response-figures.ts'

/**
 * Counts the people who took part on a day, for the site and each hub, topic and project: accounts once a day, and each response without an
 * account as one person. @returns number of figures that changed
 */
export function countEngagedDay(tx: Tx, siteId: string, day: string): Promise<number> {
  const timeZone = sql`(select time_zone from sites where id = ${siteId})`
  return replaceDiffering(tx, siteId, {
    table: engagedDays,
    keys: ['kind', 'place_id', 'day', 'language'],
    values: ['web', 'other'],
    where: sql`k.day = ${day}::date`,
    counted: sql`
      select ${siteId}::uuid as site_id, kind, place_id, ${day}::date as day, language,
        count(*) filter (where web)::int as web, count(*) filter (where not web)::int as other
      from (
        select around.kind, around.place_id, coalesce(r.user_id, r.id) as person, min(r.language) as language, bool_or(r.source = 'web') as web
        from responses r
        join surveys q on q.site_id = r.site_id and q.id = r.survey_id
        join projects p on p.site_id = q.site_id and p.id = q.project_id
        cross join lateral (values ('site', p.site_id), ('hub', p.hub_id), ('topic', p.topic_id), ('project', p.id)) around(kind, place_id)
        where r.site_id = ${siteId} and r.withdrawn_at is null and around.place_id is not null
          and r.submitted_at >= ${day}::date::timestamp at time zone ${timeZone}
          and r.submitted_at < (${day}::date + 1)::timestamp at time zone ${timeZone}
        group by 1, 2, 3
      ) people group by kind, place_id, language`,
  })
}

/** Counts every day of the site on which something changed, each in a transaction of its own. @returns number of days */
export async function countDueDays(db: SiteDb): Promise<number> {
  const { siteId } = db
  const due = await db.read(async (tx) => {
    const { rows } = await tx.execute<{ day: string }>(
      sql`select to_char(day, 'YYYY-MM-DD') as day from ${engagedDaysDue} where site_id = ${siteId} order by 1 desc`,
    )
    return rows
  })
  for (const { day } of due) {
    await db.tx(async (tx) => {
      // First: a change from now on makes the day due again.
      await tx.execute(sql`delete from ${engagedDaysDue} where site_id = ${siteId} and day = ${day}`)
      await countEngagedDay(tx, siteId, day)
    })
  }
  return due.length
}
