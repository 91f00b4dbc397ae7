import { AppError } from '#app/lib/app-error.ts'
import { implementResource, type ListQuery, type ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { calendarDateShape, calendarLinkShape } from './calendar.api.schema.ts'
import { type CalendarLink, endCalendarLink, listOwnLinks, loadOwnLinksById, makeCalendarLink } from './calendar-links.server.ts'
import { addDays, loadEntries, readToday, requireAdministrator } from './calendar.server.ts'
import type { CalendarEntry } from './calendar.schema.ts'

const DAYS_SHOWN = 30
const MAX_DAYS = 366
/** More than this is asked for in shorter periods. */
const MAX_DATES = 5000

export const calendarDateResource = implementResource(calendarDateShape, {
  list: listDates,
  attributes: ({ kind, event, title, count, day, at, precision, path, isLate }: CalendarEntry) => ({
    kind,
    event,
    title,
    count,
    day,
    at,
    precision,
    path,
    isLate,
  }),
  relationships: { project: { id: ({ project }) => project?.id ?? null, alwaysVisible: true } },
})

/** @throws {AppError} `unauthenticated`, `forbidden`, `invalid-parameter` for a period that ends before it begins or is longer than a year */
async function listDates(ctx: Ctx, { filter, page }: ListQuery<typeof calendarDateShape>): Promise<ListResult<CalendarEntry>> {
  requireAdministrator(ctx)
  const from = filter.from ?? readToday(ctx)
  const until = filter.until ?? addDays(from, DAYS_SHOWN - 1)
  if (until < from || until >= addDays(from, MAX_DAYS)) throw new AppError('invalid-parameter', { parameter: 'filter[until]' })
  const { project, kind } = filter
  const rows = await ctx.db.read((tx) => loadEntries(ctx, tx, { from, until: addDays(until, 1), project, kinds: kind, most: MAX_DATES }))
  return { rows: rows.slice(page.offset, page.offset + page.limit), total: rows.length }
}

export const calendarLinkResource = implementResource(calendarLinkShape, {
  load: loadOwnLinksById,
  list: (ctx) => listOwnLinks(ctx),
  attributes: ({ createdAt, address }: CalendarLink) => ({ createdAt, address }),
  create: makeCalendarLink,
  remove: endCalendarLink,
})
