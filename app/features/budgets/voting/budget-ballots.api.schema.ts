import * as v from 'valibot'
import { sendingSchema } from '#app/features/participation/sending.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'

export const budgetBallotShape = resourceShape({
  type: 'budget-ballots',
  summary: 'The ballots of your account, until the round is certified. Creating one casts it, or replaces the one before',
  operations: ['list', 'get', 'create'],
  attributes: {
    /** Numbers of the chosen options. */
    options: attribute(v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))), v.maxLength(1000)), {
      create: 'required',
    }),
    /** Points of each of them, in the same order: in rounds whose ballots give points. */
    points: attribute(v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000))), v.maxLength(1000)), {
      read: 'sometimes',
      create: 'optional',
    }),
    /** How often it was cast. */
    version: attribute(v.pipe(v.number(), v.integer())),
    /** The `version` that this one replaces: 0 if there is none. */
    seen: attribute(v.pipe(v.number(), v.integer(), v.minValue(0)), { read: false, create: 'required' }),
    /** As for a contribution: the same id and key give the same receipt. */
    sendingId: attribute(sendingSchema.entries.id, { read: false, create: 'required' }),
    sendKey: attribute(sendingSchema.entries.sendKey, { read: false, create: 'required' }),
    /** Only in the answer to casting it. */
    receiptCode: attribute(v.string(), { read: 'sometimes' }),
  },
  relationships: { round: toOne('budget-rounds', { create: 'required', nullable: false }) },
  filters: { round: filter.id() },
  sorts: ['version'],
  defaultSort: 'version',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'budget-ballots': typeof budgetBallotShape
  }
}
