import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'

/** Figures of contributions that everyone can read; `held` are those that wait. */
export interface ContributionFigures {
  total: number
  held: number
  supports: number
  disagrees: number
  replies: number
  /** With an official answer, and after how many days the first one came (median). */
  answered: number
  medianDays: number | null
}

export const NO_CONTRIBUTIONS: ContributionFigures = {
  total: 0,
  held: 0,
  supports: 0,
  disagrees: 0,
  replies: 0,
  answered: 0,
  medianDays: null,
}

interface GroupedFigures extends ContributionFigures {
  project: string | null
  kind: string | null
  /** The calendar day of the site on which they were sent. */
  day: string | null
}

interface FiguresAsked {
  /** Which activities `a` and contributions `c`. */
  where: SQL
  /** Calendar days of the site on which they were sent; both inclusive. */
  period?: { from: string; until: string }
}

/**
 * The one definition of what is counted of contributions, for one activity as for many projects.
 * @returns one row for each project, for each kind of activity, for each day, and one for all, which names none of these
 */
export async function loadContributionFigures({ site }: Ctx, tx: Tx, { where, period }: FiguresAsked): Promise<GroupedFigures[]> {
  const toInstant = (day: SQL) => sql`((${day})::timestamp at time zone ${site.timeZone})`
  const isInTime = period
    ? sql`and c.submitted_at >= ${toInstant(sql`${period.from}::date`)} and c.submitted_at < ${toInstant(sql`${period.until}::date + 1`)}`
    : sql``
  const { rows } = await tx.execute<GroupedFigures & Record<string, unknown>>(sql`
    select project_id as project, kind, day,
      (count(*) filter (where is_public))::int as total,
      (count(*) filter (where state = 'held'))::int as held,
      -- Supporters of merged ones count where those went.
      coalesce(sum(supports) filter (where state = 'published'), 0)::int as supports,
      coalesce(sum(disagrees) filter (where state = 'published'), 0)::int as disagrees,
      coalesce(sum(replies_count) filter (where is_public), 0)::int as replies,
      count(answered_at)::int as answered,
      (percentile_cont(0.5) within group (order by extract(epoch from answered_at - shown_at) / 86400))::float8 as "medianDays"
    from (
      select a.project_id, a.kind, (c.submitted_at at time zone ${site.timeZone})::date::text as day, c.state, c.supports, c.disagrees,
        c.replies_count, c.state in ('published', 'merged') as is_public, coalesce(c.published_at, c.submitted_at) as shown_at,
        case when c.state in ('published', 'merged') then (
          select min(o.created_at) from official_responses o
          where o.site_id = c.site_id and o.contribution_id = c.id and o.withdrawn_at is null) end as answered_at
      from contributions c join activities a on a.site_id = c.site_id and a.id = c.activity_id
      where c.site_id = ${site.id} and ${where} ${isInTime}
    ) counted group by grouping sets ((project_id), (kind), (day), ())`)
  return rows
}

/** The row of all. */
export const findAll = (rows: readonly GroupedFigures[]): ContributionFigures =>
  rows.find(({ project, kind, day }) => project === null && kind === null && day === null) ?? NO_CONTRIBUTIONS
