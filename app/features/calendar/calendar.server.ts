import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { parseDate } from '@internationalized/date'
import { isAdministrator } from '#app/features/permissions/permissions.policy.server.ts'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { DatePrecision } from '#app/lib/format.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { addMonths, type CalendarSearch } from './calendar-search.ts'
import type { CalendarEntry, CalendarMonth, DateEvent, DateKind } from './calendar.schema.ts'
import { type DateSource, listDateSources } from './date-sources.server.ts'

/** Most entries of one month. */
const MAX_ENTRIES = 1000

interface EntriesAsked {
  /** The first day, in the site's calendar. */
  from: string
  /** The day after the last one. */
  until: string
  project?: string | undefined
  kinds?: readonly DateKind[] | undefined
  most?: number
}

interface StoredEntry extends Record<string, unknown> {
  kind: DateKind
  event: DateEvent
  id: string
  title: Translated | null
  texts: number | null
  project_id: string | null
  project: Translated | null
  moment: string | null
  day: string
  precision: DatePrecision
  is_open: boolean
  is_own: boolean
}

/**
 * Dates of all sources in one statement, the earliest first: those that the viewer works on, and public ones of projects that are listed for
 * them.
 */
export async function loadEntries(ctx: Ctx, tx: Tx, asked: EntriesAsked): Promise<CalendarEntry[]> {
  const { kinds, most = MAX_ENTRIES } = asked
  const sources = listDateSources(ctx).filter(({ kind }) => !kinds || kinds.includes(kind))
  const { rows } = await tx.execute<StoredEntry>(sql`
    select * from (${sql.join(
      sources.map((source) => selectEntries(ctx, source, asked)),
      sql` union all `,
    )}) entries
    order by day, moment nulls first, kind, event, id limit ${most}`)
  const paths = new Map(sources.map(({ kind, event, path }) => [`${kind} ${event}`, path]))
  const today = readToday(ctx)
  const localise = (text: Translated) => getTranslation(text, ctx.contentLanguage, ctx.site.locale)
  return rows.map((row) => ({
    id: [row.kind, row.event, row.id, ...(row.texts === null ? [] : [row.day])].join('-'),
    kind: row.kind,
    event: row.event,
    title: row.title ? localise(row.title) : '',
    count: row.texts,
    project: row.project_id ? { id: row.project_id, title: row.project ? localise(row.project) : '' } : null,
    day: row.day,
    at: row.moment,
    precision: row.precision,
    path: row.is_own
      ? (paths.get(`${row.kind} ${row.event}`)?.({ id: row.id, projectId: row.project_id ?? '' }) ?? '')
      : `/admin/projects/${row.project_id}`,
    isLate: row.is_open && row.day < today,
  }))
}

function selectEntries(ctx: Ctx, source: DateSource, { from, until, project }: EntriesAsked): SQL {
  const { at, precision = sql`'time'`, texts = sql`null::int`, isPublic, scope, isOpen = sql`false` } = source
  const isOwn = scope ?? sql`true`
  const isSeen = isPublic ? or(isOwn, and(listedWhere(ctx), isPublic)) : isOwn
  const midnight = (day: string) => sql`${parseDate(day).toDate(ctx.site.timeZone).toISOString()}::timestamptz`
  const [moment, day, isInTime] =
    'day' in at
      ? [sql`null::timestamptz`, at.day, sql`${at.day} >= ${from}::date and ${at.day} < ${until}::date`]
      : [
          at.moment,
          sql`(${at.moment} at time zone ${ctx.site.timeZone})::date`,
          sql`${at.moment} >= ${midnight(from)} and ${at.moment} < ${midnight(until)}`,
        ]
  const exactly = 'day' in at ? sql`'day'` : precision
  return sql`(
    select ${source.kind}::text as kind, ${source.event}::text as event, t.id, t.title, ${texts} as texts,
      ${projects.id} as project_id, ${projects.title} as project,
      case when ${exactly} = 'time' then to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as moment,
      to_char(${day}, 'YYYY-MM-DD') as day, ${exactly}::text as precision, (${isOpen}) is true as is_open, (${isOwn}) is true as is_own
    from ${source.rows} t
    left join ${projects} on ${projects.siteId} = t.site_id and ${projects.id} = ${source.projectId ?? sql`t.project_id`}
    where ${and(sql`t.site_id = ${ctx.site.id}`, isInTime, isSeen, source.where, project === undefined ? undefined : eq(projects.id, project))})`
}

/**
 * What opens, closes, is scheduled, due or promised in a month, over all projects that the viewer may see.
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
export async function readCalendar(ctx: Ctx, { month: asked, project, kind }: CalendarSearch): Promise<CalendarMonth> {
  requireAdministrator(ctx)
  const today = readToday(ctx)
  const month = asked ?? today.slice(0, 7)
  const entries = await ctx.db.read((tx) =>
    loadEntries(ctx, tx, {
      from: `${month}-01`,
      until: `${addMonths(month, 1)}-01`,
      project,
      kinds: kind && [kind],
      most: MAX_ENTRIES + 1,
    }),
  )
  return { month, today, entries: entries.slice(0, MAX_ENTRIES), isCut: entries.length > MAX_ENTRIES }
}

/** In the site's calendar. */
export const readToday = ({ site, now }: Ctx): string => toCalendarDay(site.timeZone, now())

/** Steps from noon, so that no change of the clocks skips a day. */
export const addDays = (day: string, count: number): string =>
  new Date(new Date(`${day}T12:00:00Z`).getTime() + count * 86_400_000).toISOString().slice(0, 10)

/** @throws {AppError} `unauthenticated`, `forbidden` for people without a role */
export function requireAdministrator({ viewer }: Ctx): void {
  if (!isAdministrator(viewer)) throw new AppError(viewer.kind === 'visitor' ? 'unauthenticated' : 'forbidden')
}
