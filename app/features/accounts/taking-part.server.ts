import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'

/** Where and when somebody took part. */
export interface TakingPart {
  userId: string
  /** In how many projects. */
  projects: number
  firstAt: Date
  lastAt: Date
}

/**
 * A row for each answer to a survey, contribution and reply that an account sent and did not withdraw, with `user_id`, `project_id` and `at`.
 * Answers to anonymous surveys belong to no account.
 * @param inScope a condition on `projects`
 */
function selectParts(siteId: string, inScope: SQL | undefined, ofUser: (column: SQL) => SQL): SQL {
  const ofProject = (column: SQL) =>
    sql`join projects on projects.site_id = ${siteId} and projects.id = ${column} ${inScope ? sql`and ${inScope}` : sql``}`
  const isThere = (table: string) => sql`${sql.raw(table)}.state not in ('withdrawn', 'erased')`
  return sql`
    select r.user_id, s.project_id, r.submitted_at as at from responses r
      join surveys s on s.site_id = ${siteId} and s.id = r.survey_id and not s.anonymous ${ofProject(sql`s.project_id`)}
      where r.site_id = ${siteId} and r.withdrawn_at is null and ${ofUser(sql`r.user_id`)}
    union all select c.author_id, a.project_id, c.submitted_at from contributions c
      join activities a on a.site_id = ${siteId} and a.id = c.activity_id ${ofProject(sql`a.project_id`)}
      where c.site_id = ${siteId} and ${isThere('c')} and ${ofUser(sql`c.author_id`)}
    union all select p.author_id, a.project_id, p.created_at from replies p
      join contributions c on c.site_id = ${siteId} and c.id = p.contribution_id
      join activities a on a.site_id = ${siteId} and a.id = c.activity_id ${ofProject(sql`a.project_id`)}
      where p.site_id = ${siteId} and ${isThere('p')} and ${ofUser(sql`p.author_id`)}`
}

/** Matches the accounts, by the column of their id, that took part in at least so many projects. */
export const buildTakingPartCondition = (siteId: string, column: SQL, projects: number, inScope: SQL | undefined): SQL => sql`${column} in (
  select part.user_id from (${selectParts(siteId, inScope, (user) => sql`${user} is not null`)}) part
  group by part.user_id having count(distinct part.project_id) >= ${projects})`

/** Those of these accounts who took part, in projects in scope. */
export async function loadTakingPart(tx: Tx, siteId: string, ids: readonly string[], inScope: SQL | undefined): Promise<TakingPart[]> {
  if (ids.length === 0) return []
  const ofThese = (user: SQL) => sql`${user} = any(${sql.param([...ids])}::uuid[])`
  const { rows } = await tx.execute<{ user_id: string; projects: number; first: string; last: string }>(sql`
    select part.user_id, count(distinct part.project_id)::int as projects, min(part.at) as first, max(part.at) as last
    from (${selectParts(siteId, inScope, ofThese)}) part group by part.user_id`)
  return rows.map(({ user_id, projects, first, last }) => ({
    userId: user_id,
    projects,
    firstAt: new Date(first),
    lastAt: new Date(last),
  }))
}
