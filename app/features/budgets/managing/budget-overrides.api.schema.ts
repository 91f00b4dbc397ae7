import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

export const budgetOverrideShape = resourceShape({
  type: 'budget-overrides',
  summary: 'Decisions of a named body to fund an option or not, which stand in public beside the certified result',
  operations: ['list', 'get', 'create', 'remove'],
  can: ['remove'],
  attributes: {
    /** What the body decided: the opposite of what was calculated. */
    isFunded: attribute(v.boolean(), { create: 'required' }),
    /** Who decided it, such as the council. */
    body: translated({ max: 140, create: 'required' }),
    reason: translated({ max: 1000, create: 'required' }),
    createdAt: attribute(timestampSchema),
  },
  relationships: {
    round: toOne('budget-rounds', { nullable: false }),
    option: toOne('budget-options', { create: 'required', nullable: false }),
  },
  filters: { round: filter.id() },
  sorts: ['createdAt'],
  defaultSort: 'createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'budget-overrides': typeof budgetOverrideShape
  }
}
