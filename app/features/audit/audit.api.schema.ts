import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, singletonShape } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { AUDIT_TRAILS, EVENTS_PER_PAGE } from './audit.schema.ts'

const nullableTextSchema = v.nullable(v.string())

export const auditEventShape = resourceShape({
  type: 'audit-events',
  summary: 'The audit log: who did what, when and from where, limited to what the viewer administers',
  operations: ['list', 'get'],
  attributes: {
    sequence: attribute(v.number()),
    at: attribute(timestampSchema),
    action: attribute(v.string()),
    actorId: attribute(nullableTextSchema),
    /** Null for a visitor or a job, and if the account no longer exists. */
    actorName: attribute(nullableTextSchema),
    actorRole: attribute(nullableTextSchema),
    subjectType: attribute(nullableTextSchema),
    subjectId: attribute(nullableTextSchema),
    subjectName: attribute(nullableTextSchema),
    /** Network address; only for site administrators. */
    address: attribute(nullableTextSchema, { read: 'sometimes' }),
    /** Facts about the action; `changes` holds each field's value before and after. */
    detail: attribute(v.record(v.string(), v.unknown())),
    /** Current names, by id, of the people and things in `detail`. */
    names: attribute(v.record(v.string(), v.string())),
    /** The event's hash in the chain, in hexadecimal. */
    hash: attribute(v.string()),
  },
  filters: {
    trail: filter.choice(AUDIT_TRAILS),
    actor: filter.id(),
    /** Name or email address of the actor, or part of it. */
    who: filter.text(200),
    /** An action such as `projects.publish`, or a whole kind: `projects`. */
    action: filter.custom(v.pipe(v.string(), v.regex(/^[a-z][a-z-]*(\.[a-z][a-z-]*)?$/), v.maxLength(80))),
    subject: filter.id(),
    hub: filter.id(),
    project: filter.id(),
    from: filter.timestamp(),
    until: filter.timestamp(),
  },
  sorts: ['at'],
  defaultSort: '-at',
  page: { size: EVENTS_PER_PAGE, max: 200 },
})

export const auditCheckShape = singletonShape({
  type: 'audit-check',
  summary: 'Whether the audit log is complete and unchanged',
  attributes: {
    lines: attribute(v.number()),
    brokenAt: attribute(v.nullable(v.number())),
    hash: attribute(v.string()),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'audit-events': typeof auditEventShape
    'audit-check': typeof auditCheckShape
  }
}
