import { sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { replaceDiffering } from '#app/server/db/replace-differing.ts'

/**
 * Counts the people who took part on a day, for the site and each hub, topic and project: accounts once a day, and each response without an
 * account as one person. @returns number of figures that changed
 */
export const countEngagedDay = (tx: Tx, siteId: string, day: string): Promise<number> =>
  replaceDiffering(tx, siteId, {
    table: 'engaged_days',
    keys: ['kind', 'place_id', 'day', 'language'],
    values: ['web', 'other'],
    where: sql`k.day = ${day}::date`,
    counted: sql`
      select ${siteId}::uuid as site_id, kind, place_id, ${day}::date as day, language,
        count(*) filter (where web)::int as web, count(*) filter (where not web)::int as other
      from (
        select around.kind, around.place_id, coalesce(r.user_id, r.id) as person, min(r.language) as language, bool_or(r.source = 'web') as web
        from responses r
        join sites s on s.id = r.site_id
        join surveys q on q.site_id = r.site_id and q.id = r.survey_id
        join projects p on p.site_id = q.site_id and p.id = q.project_id
        cross join lateral (values ('site', p.site_id), ('hub', p.hub_id), ('topic', p.topic_id), ('project', p.id)) around(kind, place_id)
        where r.site_id = ${siteId} and r.withdrawn_at is null and around.place_id is not null
          and r.submitted_at >= ${day}::date::timestamp at time zone s.time_zone
          and r.submitted_at < (${day}::date + 1)::timestamp at time zone s.time_zone
        group by 1, 2, 3
      ) people group by kind, place_id, language`,
  })

/** Counts every day of the site on which something changed. The caller's transaction marks them as counted. @returns number of days */
export async function countDueDays(tx: Tx, siteId: string): Promise<number> {
  const { rows } = await tx.execute<{ day: string }>(
    sql`delete from engaged_days_due where site_id = ${siteId} returning to_char(day, 'YYYY-MM-DD') as day`,
  )
  for (const { day } of rows) await countEngagedDay(tx, siteId, day)
  return rows.length
}
