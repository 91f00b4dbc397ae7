import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'

/** In minor units of the round's currency, such as cents. */
export const amountSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000_000_000))

export const budgetPotShape = resourceShape({
  type: 'budget-pots',
  summary: 'What a round of participatory budgeting has to spend, by area or theme',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    title: translated({ max: 140, create: 'required', update: true }),
    /** In minor units of the round's currency, such as cents. */
    amount: attribute(amountSchema, { create: 'required', update: true }),
    position: attribute(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), { create: 'optional', update: true }),
  },
  relationships: { round: toOne('budget-rounds', { create: 'required', nullable: false }) },
  filters: { round: filter.id() },
  sorts: ['position'],
  defaultSort: 'position',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'budget-pots': typeof budgetPotShape
  }
}
