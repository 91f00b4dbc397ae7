import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { STATUS_CODES } from '#app/lib/vocabulary/contributions.ts'

export const contributionStatusShape = resourceShape({
  type: 'contribution-statuses',
  summary: 'What the organisation does with the contributions of an activity, in order',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    title: translated({ max: 80, create: 'required', update: true }),
    /** Null for a status of the organisation’s own. */
    code: attribute(v.nullable(v.picklist(STATUS_CODES))),
    /** Its place among those that are offered; archived ones follow them. */
    position: attribute(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), { create: 'optional', update: true }),
    /** An official response with it must say why. Always so for `done`, `not_taken_forward` and `answered`. */
    needsText: attribute(v.boolean(), { create: 'optional', update: true }),
    /** No longer offered; contributions that have it keep it. Deleting a status in use archives it. */
    archived: attribute(v.boolean(), { update: true }),
    /** A contribution has or had it. */
    inUse: attribute(v.boolean(), { read: 'sometimes' }),
  },
  relationships: { activity: toOne('activities', { create: 'required', nullable: false }) },
  filters: { activity: filter.id() },
  sorts: ['position'],
  defaultSort: 'position',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'contribution-statuses': typeof contributionStatusShape
  }
}
