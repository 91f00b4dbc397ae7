import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { DATE_PRECISIONS } from '#app/lib/format.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { DATE_EVENTS, DATE_KINDS } from './calendar.schema.ts'

/** A calendar day of the site. */
const dayFilter = filter.custom(v.pipe(v.string(), v.isoDate('not-a-date')))

export const calendarDateShape = resourceShape({
  type: 'calendar-dates',
  summary:
    'What opens, closes, is published, sent, promised or due in the projects that the viewer may see, the earliest first. Texts that are due on one day are one entry with their number',
  operations: ['list'],
  attributes: {
    kind: attribute(v.picklist(DATE_KINDS)),
    event: attribute(v.picklist(DATE_EVENTS)),
    /** Empty where it stands for several texts. */
    title: attribute(v.string()),
    /** For how many texts it stands; null if it is about one thing. */
    count: attribute(v.nullable(v.pipe(v.number(), v.integer()))),
    /** In the site's calendar. */
    day: attribute(v.string()),
    /** Null if it is about whole days. */
    at: attribute(v.nullable(timestampSchema)),
    precision: attribute(v.picklist(DATE_PRECISIONS)),
    /** Where people work on it. */
    path: attribute(v.string()),
    /** It should have been done by now. */
    isLate: attribute(v.boolean()),
  },
  relationships: { project: toOne('projects') },
  /** `from` and `until` are both inclusive; by default from today for 30 days, and at most a year. */
  filters: { from: dayFilter, until: dayFilter, project: filter.id(), kind: filter.choices(DATE_KINDS) },
  page: { size: 100, max: 500 },
})

export const calendarLinkShape = resourceShape({
  type: 'calendar-links',
  summary: 'The viewer’s own secret address of the calendar, for calendar programs. A new one ends the one before, and deleting it ends it',
  operations: ['list', 'get', 'create', 'remove'],
  attributes: {
    /** Returned only once, to the person who makes it. */
    address: attribute(v.string(), { read: 'sometimes' }),
    createdAt: attribute(timestampSchema),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'calendar-dates': typeof calendarDateShape
    'calendar-links': typeof calendarLinkShape
  }
}
