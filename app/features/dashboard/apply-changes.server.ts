import { sql } from 'drizzle-orm'
import { selectContributionDays } from '#app/features/reach/engaged-days.server.ts'
import { recordFiguresChanged } from '#app/features/reach/figures-changed.server.ts'
import type { Tx } from '#app/server/db/client.ts'
import { lockForTransaction } from '#app/server/db/transaction-lock.ts'
import {
  engagedDaysDue,
  placePeople,
  projectPeople,
  responseChanges,
  responseDays,
  responseTotals,
} from '#app/server/db/schema/response-figures.ts'

/** Only one transaction at a time changes the figures of a site. Responses arrive meanwhile. */
export const lockFigures = (tx: Tx, siteId: string) => lockForTransaction(tx, siteId, 'response figures')

/** Applies each change once: it is deleted in the same transaction. The caller holds the lock. @returns number of changes */
export async function applyChanges(tx: Tx, siteId: string, now: Date): Promise<number> {
  const { rows } = await tx.execute<{ changes: number; moved: string[] | null }>(sql`
    with taken as (delete from ${responseChanges} where site_id = ${siteId} returning project_id, day, user_id, change),
    known as (
      select t.project_id, t.day, t.user_id, t.change, p.hub_id
      from taken t join projects p on p.site_id = ${siteId} and p.id = t.project_id where t.day is not null),
    counted_days as (
      insert into ${responseDays} as d (site_id, day, project_id, responses)
      select ${siteId}::uuid, day, project_id, sum(change) from known group by day, project_id having sum(change) <> 0
      on conflict (site_id, day, project_id) do update set responses = d.responses + excluded.responses),
    counted_totals as (
      insert into ${responseTotals} as t (site_id, project_id, responses, without_account)
      select ${siteId}::uuid, project_id, sum(change), coalesce(sum(change) filter (where user_id is null), 0) from known group by project_id
      having bool_or(change <> 0)
      on conflict (site_id, project_id) do update set
        responses = t.responses + excluded.responses, without_account = t.without_account + excluded.without_account),
    given as (
      select project_id, user_id, sum(change) as change from known where user_id is not null group by project_id, user_id having sum(change) <> 0),
    counted_people as (
      insert into ${projectPeople} as p (site_id, project_id, user_id, responses)
      select ${siteId}::uuid, project_id, user_id, change from given
      on conflict (site_id, project_id, user_id) do update set responses = p.responses + excluded.responses),
    presence as (
      select place_id, user_id, sum(before) > 0 as had, sum(before + change) > 0 as has
      from (
        select project_id, user_id, responses as before, 0 as change from ${projectPeople}
        where site_id = ${siteId} and user_id in (select user_id from given)
        union all select project_id, user_id, 0, change from given
      ) part join projects p on p.site_id = ${siteId} and p.id = part.project_id
      cross join lateral (values (p.site_id), (p.hub_id), (p.id)) around(place_id)
      where place_id is not null group by place_id, user_id),
    counted_places as (
      insert into ${placePeople} as p (site_id, place_id, people)
      select ${siteId}::uuid, place_id, count(*) filter (where has) - count(*) filter (where had) from presence group by place_id
      on conflict (site_id, place_id) do update set people = p.people + excluded.people),
    due as (
      insert into ${engagedDaysDue} (site_id, day) select distinct ${siteId}::uuid, day from taken where day is not null
      on conflict do nothing)
    select count(*)::int as changes, array_agg(project_id) filter (where day is null) as moved from taken`)
  const { changes = 0, moved = null } = rows[0] ?? {}
  if (changes === 0) return 0
  await tx.execute(sql`delete from ${projectPeople} where site_id = ${siteId} and responses <= 0`)
  if (moved) await recountPlaces(tx, siteId, moved)
  await recordFiguresChanged(tx, siteId, now)
  return changes
}

/** After projects moved to another hub or topic, or were deleted: counts the people of each place and the days of those projects again. */
async function recountPlaces(tx: Tx, siteId: string, projectIds: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from ${placePeople} where site_id = ${siteId}`)
  await tx.execute(sql`
    insert into ${placePeople} (site_id, place_id, people) ${selectPeopleOfPlaces(siteId, sql`select project_id, user_id from ${projectPeople} where site_id = ${siteId}`)}`)
  const moved = sql`select value::uuid from jsonb_array_elements_text(${JSON.stringify(projectIds)}::jsonb)`
  await tx.execute(sql`
    insert into ${engagedDaysDue} (site_id, day)
    select distinct site_id, day from ${responseDays}
    where site_id = ${siteId} and project_id in (${moved})
    union ${selectContributionDays(siteId, moved)}
    on conflict do nothing`)
}

/** Distinct accounts of the site and of each hub and project. @param people selects `project_id` and `user_id` */
export const selectPeopleOfPlaces = (siteId: string, people: ReturnType<typeof sql>) => sql`
  select ${siteId}::uuid as site_id, place_id, count(distinct user_id)::int as people
  from (${people}) given join projects p on p.site_id = ${siteId} and p.id = given.project_id
  cross join lateral (values (p.site_id), (p.hub_id), (p.id)) around(place_id)
  where place_id is not null group by place_id`
