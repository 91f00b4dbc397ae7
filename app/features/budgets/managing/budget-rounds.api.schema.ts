import * as v from 'valibot'
import { verificationRuleSchema } from '#app/features/verifications/verification-rule.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toMany, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { slugSchema } from '#app/lib/slug.ts'
import { instantSchema } from '#app/lib/timestamp.ts'
import {
  BALLOT_TYPES,
  BUDGET_ACCESS,
  BUDGET_PHASES,
  BUDGET_STATUSES,
  COUNTING_RULES,
  CURRENCIES,
  PAPER_WAYS,
} from '#app/lib/vocabulary/budgets.ts'

const countSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000))

export const budgetRoundShape = resourceShape({
  type: 'budget-rounds',
  summary: 'Rounds of participatory budgeting: a vote on options for which there is money',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update', 'count', 'certify', 'override', 'remove'],
  attributes: {
    slug: attribute(slugSchema, { create: 'optional', update: true }),
    title: translated({ max: 140, create: 'required', update: true }),
    intro: translated({ max: 2000, create: 'optional', update: true }),
    status: attribute(v.picklist(BUDGET_STATUSES), { update: true }),
    /** Where it stands, by its status, its times and its result. */
    phase: attribute(v.picklist(BUDGET_PHASES)),
    /** `knapsack`: the options of a ballot cost no more than their pot. `approve`: only their number is limited. `points`: what they are given together. */
    ballotType: attribute(v.picklist(BALLOT_TYPES), { create: 'optional', update: true }),
    minOptions: attribute(countSchema, { create: 'optional', update: true }),
    maxOptions: attribute(v.nullable(countSchema), { create: 'optional', update: true }),
    /** Pots that one ballot may use; null: all. */
    maxPots: attribute(v.nullable(countSchema), { create: 'optional', update: true }),
    /** Points that one ballot may give in all; null unless ballots give points. */
    maxPoints: attribute(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000))), {
      create: 'optional',
      update: true,
    }),
    rule: attribute(v.picklist(COUNTING_RULES), { create: 'optional', update: true }),
    /** Options with fewer votes, or points, are not funded. */
    threshold: attribute(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)), { create: 'optional', update: true }),
    currency: attribute(v.picklist(CURRENCIES), { create: 'optional', update: true }),
    access: attribute(v.picklist(BUDGET_ACCESS), { create: 'optional', update: true }),
    /** What verified people must have shown. */
    verification: attribute(v.nullable(verificationRuleSchema), { create: 'optional', update: true }),
    /** Whether sheets of paper are handed out, and what their codes are good for. `letters` needs verified people of no particular list. */
    paper: attribute(v.picklist(PAPER_WAYS), { create: 'optional', update: true }),
    opensAt: attribute(v.nullable(instantSchema), { create: 'optional', update: true }),
    closesAt: attribute(v.nullable(instantSchema), { create: 'optional', update: true }),
    position: attribute(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), { create: 'optional', update: true }),
    /** From the first ballot on, what ballots rest on stays as it is. */
    hasBallots: attribute(v.boolean()),
    /** SHA-256 of the seed that decides ties; null before the round is published. */
    seedHash: attribute(v.nullable(v.string())),
    /** Ballots cast; only for those who may change the round. */
    ballots: attribute(v.pipe(v.number(), v.integer()), { read: 'sometimes' }),
    /** How many of these ballots were on paper. */
    paperBallots: attribute(v.pipe(v.number(), v.integer()), { read: 'sometimes' }),
    /** People who have voted, without anything else about them. The same as `ballots`, unless something is wrong. */
    voters: attribute(v.pipe(v.number(), v.integer()), { read: 'sometimes' }),
  },
  relationships: {
    project: toOne('projects', { create: 'required', nullable: false }),
    pots: toMany('budget-pots'),
    options: toMany('budget-options'),
  },
  filters: { project: filter.id() },
  sorts: ['position'],
  defaultSort: 'position',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'budget-rounds': typeof budgetRoundShape
  }
}
