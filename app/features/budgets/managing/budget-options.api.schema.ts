import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { DELIVERY_STATUSES, OPTION_STATES } from '#app/lib/vocabulary/budgets.ts'
import { amountSchema } from './budget-pots.api.schema.ts'

const pointSchema = v.object({
  lng: v.pipe(v.number(), v.minValue(-180), v.maxValue(180)),
  lat: v.pipe(v.number(), v.minValue(-90), v.maxValue(90)),
})

export const budgetOptionShape = resourceShape({
  type: 'budget-options',
  summary: 'What people can vote for in a round of participatory budgeting',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    /** Ballots and files name it by this. */
    number: attribute(v.pipe(v.number(), v.integer())),
    title: translated({ max: 140, create: 'required', update: true }),
    text: translated({ max: 2000, create: 'optional', update: true }),
    /** In minor units of the round's currency; null until screening has found it. */
    cost: attribute(v.nullable(amountSchema), { create: 'optional', update: true }),
    costNote: translated({ max: 500, create: 'optional', update: true }),
    place: attribute(v.pipe(v.string(), v.maxLength(200)), { create: 'optional', update: true }),
    /** On the map; degrees of WGS 84. An option that is made from a published contribution takes over its point unless it says otherwise. */
    point: attribute(v.nullable(pointSchema), { create: 'optional', update: true }),
    /** Of options with the same word, at most one is funded. */
    exclusiveGroup: attribute(v.pipe(v.string(), v.maxLength(40)), { create: 'optional', update: true }),
    /** What screening found: a feasible option is on the ballot. */
    state: attribute(v.picklist(OPTION_STATES), { create: 'optional', update: true }),
    /** Why it is not feasible: required then. */
    reason: translated({ max: 1000, create: 'optional', update: true }),
    /** Taken off the ballot, which needs a reason and is shown. */
    withdrawn: attribute(v.boolean(), { update: true }),
    withdrawnReason: translated({ max: 1000, update: true }),
    /** What became of a funded option. */
    delivery: attribute(v.nullable(v.picklist(DELIVERY_STATUSES)), { update: true }),
    deliveryNote: translated({ max: 1000, update: true }),
  },
  relationships: {
    round: toOne('budget-rounds', { create: 'required', nullable: false }),
    pot: toOne('budget-pots', { create: 'required', update: true, nullable: false }),
    /** That it was made from. */
    contribution: toOne('contributions', { create: 'optional' }),
  },
  filters: { round: filter.id(), state: filter.choices(OPTION_STATES) },
  sorts: ['number'],
  defaultSort: 'number',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'budget-options': typeof budgetOptionShape
  }
}
