import { sql, type SQL } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { engagedDays } from '#app/server/db/schema/response-figures.ts'
import { reachSteps } from '#app/server/db/schema/reach.ts'
import type { ReachFigures, ReachSource } from './reach.schema.ts'
import { chooseKeptSums, type DaySpan, type ReachStep } from './reach-steps.server.ts'

export interface FiguresQuery {
  kind: 'site' | 'hub' | 'topic' | 'project' | 'update' | 'document'
  /** The first day, in the site's calendar. */
  from: string
  /** The last day; by default today. */
  until?: string
  /** Which places; by default all of the kind. */
  places?: readonly string[]
  /** Days of a week (from Monday) or a month are added up, named by the first of them: much less is read then. By default each day alone. */
  step?: 'day' | ReachStep
}

/**
 * The single definition of reach, however it is grouped. Each person counts once a day: visitors by the day's hash, participants by their
 * account, and each response without an account as one person. Engaged people count as informed, and informed people as aware, even if only
 * their response is known: it came on paper, by text or from another website, or their browser asks not to be counted.
 * @param where selects rows of a site, by `site_id`, `kind`, `place_id` and `day`
 */
export const selectReachByDay = (where: SQL): SQL => sql`
  select kind, place_id, day, language, aware as aware_seen, informed as informed_seen,
    greatest(aware, informed, web) + other as aware, greatest(informed, web) + other as informed, web + other as engaged
  from (
    select kind, place_id, day, language, sum(aware)::int as aware, sum(informed)::int as informed, sum(web)::int as web, sum(other)::int as other
    from (
      select kind, place_id, day, language, aware, informed, 0 as web, 0 as other from reach_days where ${where}
      union all select kind, place_id, day, language, 0, 0, web, other from ${engagedDays} where ${where}
    ) part group by kind, place_id, day, language
  ) sums`

/** Reach of the places and days asked for; weeks and months come from their kept sums, as far as these are up to date. */
async function buildReachSql({ site }: Ctx, tx: Tx, { kind, from, until, places, step = 'day' }: FiguresQuery): Promise<SQL> {
  const ofPlaces = sql`site_id = ${site.id} and kind = ${kind} ${places ? sql`and place_id = any(${sql.param([...places])}::uuid[])` : sql``}`
  const inDays = ({ from: first, until: last }: DaySpan) =>
    sql`day >= ${first}::date ${last === undefined ? sql`` : sql`and day <= ${last}::date`}`
  if (step === 'day') {
    return sql`select place_id as place, day, language, aware_seen, informed_seen, aware, informed, engaged
      from (${selectReachByDay(sql`${ofPlaces} and ${inDays({ from, until })}`)}) days`
  }
  const { kept, rest } = await chooseKeptSums(tx, site.id, step, { from, until })
  // As a timestamp without a time zone: from a plain date, `date_trunc` makes one with a time zone, and a date again, for each row.
  const toStart = (day: SQL) => sql`date_trunc(${step}::text, ${day}::timestamp)::date`
  const sums = kept.map(
    ({ step: of, starts }) => sql`
    select place_id as place, ${toStart(sql`start`)} as day, language, aware_seen, informed_seen, aware, informed, engaged
    from ${reachSteps} where ${ofPlaces} and step = ${of} and start = any(${sql.param(starts)}::date[])`,
  )
  const isInRest = rest.length > 0 ? sql`(${sql.join(rest.map(inDays), sql` or `)})` : sql`false`
  const days = sql`select place_id as place, ${toStart(sql`day`)}, language, aware_seen, informed_seen, aware, informed, engaged
    from (${selectReachByDay(sql`${ofPlaces} and ${isInRest}`)}) days`
  return sql.join([...sums, days], sql` union all `)
}

const SUMS = sql`sum(aware)::int as aware, sum(informed)::int as informed, sum(engaged)::int as engaged`

export interface PlaceFigures {
  places: Map<string, ReachFigures>
  /** By the first day of each step. */
  days: Map<string, ReachFigures>
  languages: Map<ContentLanguage, ReachFigures>
  totals: ReachFigures & { awareSeen: number; informedSeen: number }
}

/** Of one place or several: by place, by day, by language, and in total. */
export async function loadPlaceFigures(ctx: Ctx, tx: Tx, asked: FiguresQuery): Promise<PlaceFigures> {
  const { rows } = await tx.execute<
    Record<string, unknown> &
      ReachFigures & {
        place: string | null
        day: string | null
        language: ContentLanguage | null
        aware_seen: number
        informed_seen: number
      }
  >(sql`
    select place, to_char(day, 'YYYY-MM-DD') as day, language, ${SUMS}, sum(aware_seen)::int as aware_seen, sum(informed_seen)::int as informed_seen
    from (${await buildReachSql(ctx, tx, asked)}) reached group by grouping sets ((place), (day), (language), ())`)
  const toReachFigures = ({ aware, informed, engaged }: ReachFigures): ReachFigures => ({
    aware: aware ?? 0,
    informed: informed ?? 0,
    engaged: engaged ?? 0,
  })
  const all = rows.find(({ place, day, language }) => place === null && day === null && language === null)
  return {
    places: new Map(rows.flatMap((row) => (row.place ? [[row.place, toReachFigures(row)] as const] : []))),
    days: new Map(rows.flatMap((row) => (row.day ? [[row.day, toReachFigures(row)] as const] : []))),
    languages: new Map(rows.flatMap((row) => (row.language ? [[row.language, toReachFigures(row)] as const] : []))),
    totals: {
      ...toReachFigures(all ?? { aware: 0, informed: 0, engaged: 0 }),
      awareSeen: all?.aware_seen ?? 0,
      informedSeen: all?.informed_seen ?? 0,
    },
  }
}

export async function loadFiguresByPlace(ctx: Ctx, tx: Tx, asked: FiguresQuery): Promise<Map<string, ReachFigures>> {
  const { rows } = await tx.execute<Record<string, unknown> & ReachFigures & { place: string }>(
    sql`select place, ${SUMS} from (${await buildReachSql(ctx, tx, asked)}) reached group by place`,
  )
  return new Map(rows.map(({ place, aware, informed, engaged }) => [place, { aware, informed, engaged }]))
}

export interface Origins {
  sources: { source: ReachSource; aware: number; informed: number }[]
  /** At most twenty. */
  campaigns: { campaign: string; aware: number; informed: number }[]
}

/** Sources and campaigns of visitors of places, most frequent first. */
export async function loadOrigins(
  ctx: Ctx,
  tx: Tx,
  { kind, places, from, until }: { kind: 'site' | 'hub' | 'project'; places: readonly string[]; from: string; until?: string },
): Promise<Origins> {
  const { rows } = await tx.execute<{ source: ReachSource | null; campaign: string | null; aware: number; informed: number }>(sql`
    select source, campaign, sum(aware)::int as aware, sum(informed)::int as informed
    from reach_days where site_id = ${ctx.site.id} and kind = ${kind} and place_id = any (${sql.param([...places])}::uuid[])
      and day >= ${from}::date ${until === undefined ? sql`` : sql`and day <= ${until}::date`}
    group by grouping sets ((source), (campaign)) order by 3 desc`)
  return {
    sources: rows.flatMap(({ source, aware, informed }) => (source ? [{ source, aware, informed }] : [])),
    campaigns: rows.flatMap(({ campaign, aware, informed }) => (campaign ? [{ campaign, aware, informed }] : [])).slice(0, 20),
  }
}
