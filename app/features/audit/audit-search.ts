import { CalendarDate, toZoned } from '@internationalized/date'
import { readIdParam } from '#app/lib/list-search.ts'
import { omitUndefined, readChoiceParam, readIntegerParam, readTextParam } from '#app/lib/search-params.ts'
import { AUDIT_KINDS, AUDIT_TRAILS, type AuditKind, type AuditTrail } from './audit.schema.ts'

/** State of the audit screen in the URL. Days are in the site's time zone, both inclusive. */
export interface AuditSearch {
  trail?: AuditTrail
  who?: string
  actor?: string
  kind?: AuditKind
  action?: string
  subject?: string
  from?: string
  until?: string
  page?: number
}

/** Parses URL parameters; invalid values are dropped. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return omitUndefined({
    trail: readChoiceParam(search['trail'], AUDIT_TRAILS),
    who: readTextParam(search['who'], 200),
    actor: readIdParam(search['actor']),
    kind: readChoiceParam(search['kind'], AUDIT_KINDS),
    action: /^[a-z-]{1,40}\.[a-z-]{1,40}$/.test(readTextParam(search['action'], 80) ?? '')
      ? readTextParam(search['action'], 80)
      : undefined,
    subject: readIdParam(search['subject']),
    from: dayParam(search['from']),
    until: dayParam(search['until']),
    page: readIntegerParam(search['page'], 2, 100_000),
  })
}

/** Converts it into API filters. @param zone the site's IANA time zone */
export function toAuditFilter(search: AuditSearch, zone: string) {
  return omitUndefined({
    trail: search.trail,
    who: search.who,
    actor: search.actor,
    action: search.action ?? search.kind,
    subject: search.subject,
    from: search.from && toDayStart(search.from, zone, 0),
    until: search.until && toDayStart(search.until, zone, 1),
  })
}

const DAY_PATTERN = /^(20\d\d)-(0[1-9]|1[0-2])-([0-2]\d|3[01])$/
const dayParam = (value: unknown) => (typeof value === 'string' && DAY_PATTERN.test(value) ? value : undefined)

function toDayStart(day: string, zone: string, plus: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return toZoned(new CalendarDate(year, month, date).add({ days: plus }), zone).toAbsoluteString()
}
