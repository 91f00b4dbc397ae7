import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { instantSchema } from '#app/lib/timestamp.ts'
import { COUNTING_RULES, RESULT_STATES } from '#app/lib/vocabulary/budgets.ts'

export const budgetResultShape = resourceShape({
  type: 'budget-results',
  summary: 'Counts of a round of participatory budgeting. Creating one counts the ballots; a second person certifies it',
  operations: ['list', 'get', 'create', 'update'],
  can: ['certify'],
  attributes: {
    /** Set to `certified` by a second person, which destroys the key that joins ballots to voters. */
    state: attribute(v.picklist(RESULT_STATES), { update: true }),
    rule: attribute(v.picklist(COUNTING_RULES)),
    ballots: attribute(v.pipe(v.number(), v.integer())),
    /** How many of the ballots were on paper. */
    paper: attribute(v.pipe(v.number(), v.integer())),
    /** For each pot: its ballots, their SHA-256, the lot for ties, and what each rule makes of them. */
    pots: attribute(v.array(v.record(v.string(), v.unknown()))),
    countedAt: attribute(instantSchema),
    certifiedAt: attribute(v.nullable(instantSchema)),
    /** Whether the viewer counted it. A second person has to certify it. */
    isOwnCount: attribute(v.boolean(), { read: 'sometimes' }),
  },
  relationships: { round: toOne('budget-rounds', { create: 'required', nullable: false }) },
  filters: { round: filter.id() },
  sorts: ['countedAt'],
  defaultSort: '-countedAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'budget-results': typeof budgetResultShape
  }
}
