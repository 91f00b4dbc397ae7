import { readIdParam } from '#app/lib/list-search.ts'
import { omitUndefined, readChoiceParam, readTextParam } from '#app/lib/search-params.ts'
import { DATE_KINDS, type DateKind } from './calendar.schema.ts'

/** State of the calendar in the address. Without a month it shows the current one. */
export interface CalendarSearch {
  /** `2026-12`. */
  month?: string
  project?: string
  kind?: DateKind
}

const MONTH_PATTERN = /^20\d\d-(0[1-9]|1[0-2])$/

/** Parses URL parameters; invalid values are dropped. */
export function readCalendarSearch(search: Record<string, unknown>): CalendarSearch {
  const month = readTextParam(search['month'], 7)
  return omitUndefined({
    month: month !== undefined && MONTH_PATTERN.test(month) ? month : undefined,
    project: readIdParam(search['project']),
    kind: readChoiceParam(search['kind'], DATE_KINDS),
  })
}

/** The month that many later, or earlier: `2026-12` and 1 give `2027-01`. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}
