import * as v from 'valibot'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { MAX_KEPT_MONTHS, MAX_RETENTION_REASON } from './retention.schema.ts'

const monthsSchema = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_KEPT_MONTHS)))

export const projectRetentionShape = resourceShape({
  type: 'project-retentions',
  summary: 'How long the personal data of each project is kept after it closes; the id is the project’s. For its administrators',
  operations: ['list', 'get', 'update'],
  locked: true,
  can: ['update'],
  attributes: {
    /** Months after the project closes; null: as the site. */
    keptMonths: attribute(monthsSchema, { update: true }),
    /** Why it is changed, for the audit trail: required to change `keptMonths`. */
    reason: attribute(v.pipe(v.string(), v.trim(), v.maxLength(MAX_RETENTION_REASON)), { read: false, update: true }),
    /** What the site does where a project says nothing else; null: kept until somebody removes it. */
    siteMonths: attribute(monthsSchema),
    /** When the project closed, or will close. Null for one without an end. */
    closedAt: attribute(v.nullable(timestampSchema)),
    /** When its personal data will be removed: never sooner than 30 days after its team was told. Null if no day follows, or if it was removed. */
    removalAt: attribute(v.nullable(timestampSchema)),
    /** When its team was last told of that day. */
    toldAt: attribute(v.nullable(timestampSchema)),
    /** When personal data was last removed. */
    removedAt: attribute(v.nullable(timestampSchema)),
  },
  relationships: { project: toOne('projects', { nullable: false }) },
  filters: {
    /** Those with a day on which personal data will be removed, or without. */
    planned: filter.flag(),
  },
  sorts: ['removalAt'],
  defaultSort: 'removalAt',
})

export const retentionSettingShape = resourceShape({
  type: 'retention-settings',
  summary: 'How long personal data of projects is kept after they close; its id is the site’s',
  operations: ['list', 'get', 'update'],
  locked: true,
  can: ['update'],
  attributes: {
    /** Months; null: until somebody removes it. A project may have a number of its own. */
    keptMonths: attribute(monthsSchema, { update: true }),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'project-retentions': typeof projectRetentionShape
    'retention-settings': typeof retentionSettingShape
  }
}
