import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { REPORT_AUDIENCES, REPORT_SCHEDULES } from '#app/lib/vocabulary/report-views.ts'
import { MAX_QUERY_LENGTH, recipientsSchema } from './report-views.schema.ts'

export const reportViewShape = resourceShape({
  type: 'report-views',
  summary:
    'Reports kept under a name, for oneself, a department or the site; they can be mailed on a schedule. Only who made one changes it, since its mails and links show what that person may see',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  can: ['update', 'remove'],
  attributes: {
    name: attribute(v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(80)), { create: 'required', update: true }),
    audience: attribute(v.picklist(REPORT_AUDIENCES), { create: 'required', update: true }),
    /** The query of the report's address, without a question mark: `days=30&sections=short`. */
    query: attribute(v.pipe(v.string(), v.maxLength(MAX_QUERY_LENGTH)), { create: 'required', update: true }),
    /** Of its mails. */
    language: attribute(v.picklist(LANGUAGES), { create: 'required', update: true }),
    schedule: attribute(v.picklist(REPORT_SCHEDULES), { create: 'optional', update: true }),
    /** Email addresses; only for the person who made it. */
    recipients: attribute(recipientsSchema, { read: 'sometimes', create: 'optional', update: true }),
    /** When it is mailed next. */
    nextAt: attribute(v.nullable(timestampSchema)),
    maker: attribute(v.string()),
    createdAt: attribute(timestampSchema),
  },
  /** The department that it is for. */
  relationships: { hub: toOne('hubs', { create: 'optional', update: true }) },
})

export const reportLinkShape = resourceShape({
  type: 'report-links',
  summary: 'Links that show a report outside the administration, as of now, until they expire or are revoked; deleting one revokes it',
  operations: ['list', 'get', 'create', 'remove'],
  attributes: {
    /** At most a year ahead. */
    expiresAt: attribute(timestampSchema, { create: 'required' }),
    createdAt: attribute(timestampSchema),
    /** Returned only once, to the person who creates it: only a hash of its secret is stored. */
    url: attribute(v.string(), { read: 'sometimes' }),
  },
  relationships: { view: toOne('report-views', { create: 'required' }) },
  filters: { view: filter.id() },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'report-views': typeof reportViewShape
    'report-links': typeof reportLinkShape
  }
}
