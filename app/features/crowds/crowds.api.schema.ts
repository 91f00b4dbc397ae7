import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { CROWD_DECISIONS } from '#app/lib/vocabulary/crowds.ts'

export const crowdShape = resourceShape({
  type: 'crowds',
  summary:
    'Supports or answers from one address in unusual number. They count in no figure until somebody who may see them decides that they do',
  operations: ['list', 'get', 'update'],
  attributes: {
    /** How many of them there are. */
    number: attribute(v.pipe(v.number(), v.integer())),
    firstAt: attribute(timestampSchema),
    lastAt: attribute(timestampSchema),
    /** Null until an administrator decides. It can be changed. */
    decision: attribute(v.nullable(v.picklist(CROWD_DECISIONS)), { update: true }),
    decidedAt: attribute(v.nullable(timestampSchema)),
    decidedByName: attribute(v.nullable(v.string())),
  },
  relationships: {
    /** Set for answers. */
    survey: toOne('surveys'),
    /** Set for supports, or for who agrees and disagrees. */
    activity: toOne('activities'),
  },
  filters: { waiting: filter.flag(), survey: filter.id(), activity: filter.id() },
  sorts: ['firstAt'],
  defaultSort: '-firstAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    crowds: typeof crowdShape
  }
}
