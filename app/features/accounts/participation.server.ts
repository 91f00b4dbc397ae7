import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import type { ParticipationTime } from './accounts.schema.ts'

const DAY_MS = 86_400_000

/** In how many projects a person took part, and when. */
export interface Participation {
  userId: string
  projects: number
  firstAt: Date
  lastAt: Date
}

/**
 * A row for each answer to a survey, contribution, reply and place at an event of an account, with `user_id`, `project_id` and `at`. Answers to
 * anonymous surveys belong to no account.
 * @param inScope a condition on `projects`
 * @param alsoWithdrawn also what was withdrawn since, and answers to surveys that became anonymous since
 */
function selectWhatWasSent(siteId: string, inScope: SQL | undefined, ofUser: (column: SQL) => SQL, alsoWithdrawn = false): SQL {
  const ofProject = (column: SQL) => joinProjects(siteId, column, inScope)
  const isThere = (table: string) => (alsoWithdrawn ? sql`true` : sql`${sql.raw(table)}.state not in ('withdrawn', 'erased')`)
  const isAnswerThere = alsoWithdrawn ? sql`true` : sql`r.withdrawn_at is null and not s.anonymous`
  return sql`
    select r.user_id, s.project_id, r.submitted_at as at from responses r
      join surveys s on s.site_id = ${siteId} and s.id = r.survey_id ${ofProject(sql`s.project_id`)}
      where r.site_id = ${siteId} and ${isAnswerThere} and ${ofUser(sql`r.user_id`)}
    union all select c.author_id, a.project_id, c.submitted_at from contributions c
      join activities a on a.site_id = ${siteId} and a.id = c.activity_id ${ofProject(sql`a.project_id`)}
      where c.site_id = ${siteId} and ${isThere('c')} and ${ofUser(sql`c.author_id`)}
    union all select p.author_id, a.project_id, p.created_at from replies p
      join contributions c on c.site_id = ${siteId} and c.id = p.contribution_id
      join activities a on a.site_id = ${siteId} and a.id = c.activity_id ${ofProject(sql`a.project_id`)}
      where p.site_id = ${siteId} and ${isThere('p')} and ${ofUser(sql`p.author_id`)}
    union all select g.user_id, e.project_id, g.created_at from event_sign_ups g
      join events e on e.site_id = ${siteId} and e.id = g.event_id ${ofProject(sql`e.project_id`)}
      where g.site_id = ${siteId} and g.state = 'going' and ${ofUser(sql`g.user_id`)}`
}

const joinProjects = (siteId: string, column: SQL, inScope: SQL | undefined): SQL =>
  sql`join projects on projects.site_id = ${siteId} and projects.id = ${column} ${inScope ? sql`and ${inScope}` : sql``}`
const isKnown = (user: SQL): SQL => sql`${user} is not null`
/** @param among a query of ids of accounts; undefined for all accounts */
const isAmong =
  (among: SQL | undefined) =>
  (user: SQL): SQL =>
    among ? sql`${user} in (${among})` : isKnown(user)

/** Where participation counts, and whose. */
interface ParticipationScope {
  siteId: string
  /** Of the account's id. */
  column: SQL
  /** A condition on `projects`. */
  inScope: SQL | undefined
  /** A query of the only accounts that are asked for. If they are few, what they did is looked up by account, instead of reading what all accounts did. */
  among?: SQL | undefined
}

/**
 * Matches the accounts that belong to a project: they follow it, answered, contributed or replied there, also if they withdrew that, or have a
 * place at one of its events. One hashed set instead of a lookup per account: equally fast for a hundred and for a hundred thousand.
 * @param orMember also members of a project who opened it
 */
export function buildInvolvementCondition({ siteId, column, inScope, among }: ParticipationScope, orMember: boolean): SQL {
  const ofThese = isAmong(among)
  const members = sql`union all select m.user_id from project_members m ${joinProjects(siteId, sql`m.project_id`, inScope)}
    where m.site_id = ${siteId} and m.opened_at is not null and ${ofThese(sql`m.user_id`)}`
  return sql`${column} in (
    select sent.user_id from (${selectWhatWasSent(siteId, inScope, ofThese, true)}) sent
    union all select f.user_id from project_follows f ${joinProjects(siteId, sql`f.project_id`, inScope)}
      where f.site_id = ${siteId} and ${ofThese(sql`f.user_id`)}
    ${orMember ? members : sql``})`
}

/** Matches the accounts that took part in at least so many projects. */
export const buildProjectCountCondition = (
  { siteId, column, inScope, among }: ParticipationScope,
  projects: number,
): SQL => sql`${column} in (
  select sent.user_id from (${selectWhatWasSent(siteId, inScope, isAmong(among))}) sent
  group by sent.user_id having count(distinct sent.project_id) >= ${projects})`

const TIMES: Record<ParticipationTime, { of: 'first' | 'last'; days: number; isBefore?: true }> = {
  'last-30-days': { of: 'last', days: 30 },
  'last-90-days': { of: 'last', days: 90 },
  'last-year': { of: 'last', days: 365 },
  'first-90-days': { of: 'first', days: 90 },
  'not-for-a-year': { of: 'last', days: 365, isBefore: true },
}

/** Matches the accounts that took part in a period. Accounts that never took part match no period. */
export function buildParticipationTimeCondition(
  { siteId, column, inScope, among }: ParticipationScope,
  time: ParticipationTime,
  now: Date,
): SQL {
  const { of, days, isBefore } = TIMES[time]
  const at = of === 'first' ? sql`min(sent.at)` : sql`max(sent.at)`
  const cut = new Date(now.getTime() - days * DAY_MS).toISOString()
  return sql`${column} in (
    select sent.user_id from (${selectWhatWasSent(siteId, inScope, isAmong(among))}) sent
    group by sent.user_id having ${at} ${isBefore ? sql`<` : sql`>=`} ${cut}::timestamptz)`
}

/** Matches the accounts that follow a project on a topic. */
export const buildTopicFollowerCondition = (
  { siteId, column, inScope, among }: ParticipationScope,
  topicId: string,
): SQL => sql`${column} in (
  select f.user_id from project_follows f ${joinProjects(siteId, sql`f.project_id`, inScope)} and projects.topic_id = ${topicId}
  where f.site_id = ${siteId} and ${isAmong(among)(sql`f.user_id`)})`

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
