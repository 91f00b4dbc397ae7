import { sql } from 'drizzle-orm'
import type { SiteDb, Tx } from '#app/server/db/client.ts'
import { replaceDiffering } from '#app/server/db/replace-differing.ts'
import { engagedDays, engagedDaysDue } from '#app/server/db/schema/response-figures.ts'

/** Since support is stored under a hash that differs by activity, supporters cannot be told apart from contributors and are not counted. */
const selectParticipation = (siteId: string) => sql`
  select r.site_id, r.user_id, r.id, r.submitted_at as at, r.language, r.source, q.project_id
  from responses r join surveys q on q.site_id = r.site_id and q.id = r.survey_id
  where r.site_id = ${siteId} and r.withdrawn_at is null and r.counted
  union all
  select c.site_id, c.author_id, c.id, c.submitted_at, c.language, c.source, a.project_id
  from contributions c join activities a on a.site_id = c.site_id and a.id = c.activity_id
  where c.site_id = ${siteId} and c.state not in ('withdrawn', 'erased')
  union all
  select y.site_id, y.author_id, y.id, y.created_at, y.language, 'web', a.project_id
  from replies y join contributions c on c.site_id = y.site_id and c.id = y.contribution_id
  join activities a on a.site_id = c.site_id and a.id = c.activity_id
  where y.site_id = ${siteId} and y.role <> 'official' and y.state not in ('withdrawn', 'erased')
  union all
  select u.site_id, u.user_id, u.id, u.created_at, u.language, 'web', e.project_id
  from event_sign_ups u join events e on e.site_id = u.site_id and e.id = u.event_id
  where u.site_id = ${siteId} and u.state = 'going'`

/** The days of the site's calendar on which somebody contributed, replied or signed up for an event. @param projectIds selects some projects */
export const selectContributionDays = (siteId: string, projectIds?: ReturnType<typeof sql>) => sql`
  select distinct c.site_id, (d.at at time zone t.time_zone)::date as day
  from contributions c join activities a on a.site_id = c.site_id and a.id = c.activity_id join sites t on t.id = c.site_id
  cross join lateral (
    select c.submitted_at as at
    union all select y.created_at from replies y where y.site_id = c.site_id and y.contribution_id = c.id
  ) d
  where c.site_id = ${siteId} ${projectIds ? sql`and a.project_id in (${projectIds})` : sql``}
  union
  select u.site_id, (u.created_at at time zone t.time_zone)::date
  from event_sign_ups u join events e on e.site_id = u.site_id and e.id = u.event_id join sites t on t.id = u.site_id
  where u.site_id = ${siteId} ${projectIds ? sql`and e.project_id in (${projectIds})` : sql``}`

/**
 * Counts the people who took part on a day, for the site and each hub, topic and project: accounts once a day, and each response,
 * contribution, reply or place at an event without an account as one person. @returns number of figures that changed
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
        from (${selectParticipation(siteId)}) r
        join projects p on p.site_id = r.site_id and p.id = r.project_id
        cross join lateral (values ('site', p.site_id), ('hub', p.hub_id), ('topic', p.topic_id), ('project', p.id)) around(kind, place_id)
        where around.place_id is not null
          and r.at >= ${day}::date::timestamp at time zone ${timeZone}
          and r.at < (${day}::date + 1)::timestamp at time zone ${timeZone}
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
