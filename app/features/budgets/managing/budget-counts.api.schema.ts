import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { BUDGET_COUNT_STATES } from '#app/lib/vocabulary/budgets.ts'

export const budgetCountShape = resourceShape({
  type: 'budget-counts',
  summary: 'Counts of rounds with very many ballots, made in the background. One that is done has made a budget-result. DELETE cancels one',
  operations: ['list', 'get', 'create', 'remove'],
  attributes: {
    state: attribute(v.picklist(BUDGET_COUNT_STATES)),
    /** In percent. */
    progress: attribute(v.number()),
    createdAt: attribute(timestampSchema),
    finishedAt: attribute(v.nullable(timestampSchema)),
  },
  relationships: { round: toOne('budget-rounds', { create: 'required', nullable: false }) },
  filters: { round: filter.id() },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'budget-counts': typeof budgetCountShape
  }
}
