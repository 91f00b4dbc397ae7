import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'

export interface ModerationFigures {
  /** Texts that wait for a decision before anybody can read them, now. */
  held: number
  /** Cases decided in the period, and the median of hours from opening to decision. */
  decided: number
  medianHours: number | null
  /** Appeals of the period, and how many of them changed the decision. */
  appealed: number
  overturned: number
}

interface FiguresAsked {
  since: Date
  /** Exclusive. */
  until?: Date
  /** Which activities `a`; by default all. */
  where?: SQL
}

/** The one definition of what is counted of moderation, for the public page as for reports. Nothing is rounded. */
export async function loadModerationFigures(tx: Tx, siteId: string, { since, until, where }: FiguresAsked): Promise<ModerationFigures> {
  const isInTime = (at: SQL) =>
    sql`${at} >= ${since.toISOString()} ${until === undefined ? sql`` : sql`and ${at} < ${until.toISOString()}`}`
  const isChosen = where
    ? sql`and exists (select from contributions of_case join activities a on a.site_id = of_case.site_id and a.id = of_case.activity_id
        where of_case.site_id = m.site_id and of_case.id = m.contribution_id and ${where})`
    : sql``
  const { rows } = await tx.execute<ModerationFigures & Record<string, unknown>>(sql`
    select waiting.held, decided.decided, decided.hours as "medianHours", appeals.appealed, appeals.overturned
    from (
      select count(*)::int as held
      from moderation_cases m join contributions c on c.site_id = m.site_id and c.id = m.contribution_id
      left join replies y on y.site_id = m.site_id and y.id = m.reply_id
      where m.site_id = ${siteId} and m.state = 'open' and coalesce(y.state, c.state) = 'held' ${isChosen}
    ) waiting cross join (
      select count(*)::int as decided,
        (percentile_cont(0.5) within group (order by extract(epoch from m.decided_at - m.opened_at)) / 3600)::float8 as hours
      from moderation_cases m
      where m.site_id = ${siteId} and m.state in ('decided', 'appealed') and ${isInTime(sql`m.decided_at`)} ${isChosen}
    ) decided cross join (
      select count(*)::int as appealed, (count(*) filter (where p.state = 'overturned'))::int as overturned
      from moderation_appeals p join moderation_cases m on m.site_id = p.site_id and m.id = p.case_id
      where p.site_id = ${siteId} and ${isInTime(sql`p.created_at`)} ${isChosen}
    ) appeals`)
  const [figures] = rows
  if (!figures) throw new Error('Counts have a row')
  return figures
}
