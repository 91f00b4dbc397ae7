import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'

/** In how many projects a person took part, and when. */
export interface Participation {
  userId: string
  projects: number
  firstAt: Date
  lastAt: Date
}

/**
 * A row for each answer to a survey, contribution and reply that an account sent and did not withdraw, with `user_id`, `project_id` and `at`.
 * Answers to anonymous surveys belong to no account.
 * @param inScope a condition on `projects`
 */
function selectWhatWasSent(siteId: string, inScope: SQL | undefined, ofUser: (column: SQL) => SQL): SQL {
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
export const buildProjectCountCondition = (
  siteId: string,
  column: SQL,
  projects: number,
  inScope: SQL | undefined,
): SQL => sql`${column} in (
  select sent.user_id from (${selectWhatWasSent(siteId, inScope, (user) => sql`${user} is not null`)}) sent
  group by sent.user_id having count(distinct sent.project_id) >= ${projects})`

/** The participation of these accounts in projects in scope; accounts without any are left out. */
export async function loadParticipations(
  tx: Tx,
  siteId: string,
  ids: readonly string[],
  inScope: SQL | undefined,
): Promise<Participation[]> {
  if (ids.length === 0) return []
  const ofThese = (user: SQL) => sql`${user} = any(${sql.param([...ids])}::uuid[])`
  const { rows } = await tx.execute<{ user_id: string; projects: number; first: string; last: string }>(sql`
    select sent.user_id, count(distinct sent.project_id)::int as projects, min(sent.at) as first, max(sent.at) as last
    from (${selectWhatWasSent(siteId, inScope, ofThese)}) sent group by sent.user_id`)
  return rows.map(({ user_id, projects, first, last }) => ({
    userId: user_id,
    projects,
    firstAt: new Date(first),
    lastAt: new Date(last),
  }))
}
