import * as v from 'valibot'
import { itemIdSchema } from './item-id.schema.ts'

/**
 * Tests on one answer. `any_of`, `all_of` and `none_of` look at options, `chosen_at_least` and `chosen_at_most` at how many are chosen, the
 * others at text, a number or a day. `not_equals` needs an answer as well: "not so, or unanswered" is two tests.
 */
export const CONDITION_TESTS = [
  'answered',
  'unanswered',
  'any_of',
  'all_of',
  'none_of',
  'equals',
  'not_equals',
  'contains',
  'at_least',
  'at_most',
  'more_than',
  'less_than',
  'chosen_at_least',
  'chosen_at_most',
] as const

/** A day counted back from the day of answering, or ahead if negative. */
const relativeDaySchema = v.union([
  v.strictObject({ ago: v.pipe(v.number(), v.integer(), v.minValue(-50_000), v.maxValue(50_000)), unit: v.literal('day') }),
  v.strictObject({ ago: v.pipe(v.number(), v.integer(), v.minValue(-1200), v.maxValue(1200)), unit: v.picklist(['month', 'year']) }),
])
export type RelativeDay = v.InferOutput<typeof relativeDaySchema>

/** The answer to another question, of the same kind. */
const otherAnswerSchema = v.strictObject({
  question: itemIdSchema,
  /** The item, if it is a budget or ranking. */
  row: v.optional(itemIdSchema),
  /** So much more, or later by so many days. */
  plus: v.optional(v.pipe(v.number(), v.finite(), v.minValue(-1e9), v.maxValue(1e9))),
})
export type OtherAnswer = v.InferOutput<typeof otherAnswerSchema>

const testSchema = v.strictObject({
  question: itemIdSchema,
  /** The row of a grid, or the item of a budget or ranking. */
  row: v.optional(itemIdSchema),
  is: v.picklist(CONDITION_TESTS),
  options: v.optional(v.pipe(v.array(itemIdSchema), v.maxLength(200))),
  value: v.optional(v.union([v.pipe(v.string(), v.maxLength(500)), v.pipe(v.number(), v.finite()), relativeDaySchema, otherAnswerSchema])),
  /** Of texts: "Yes" is not "yes". Without it, capital and small letters are the same. */
  caseSensitive: v.optional(v.literal(true)),
})

export type ConditionTest = v.InferOutput<typeof testSchema>
export type Condition = ConditionTest | { all: Condition[] } | { any: Condition[] }

const DEEPEST_CONDITION = 8

/** Tests joined by AND and OR, nested as deep as anybody can still read. */
export const conditionSchema: v.GenericSchema<Condition> = v.lazy(() =>
  v.union([testSchema, v.strictObject({ all: nestedConditionsSchema }), v.strictObject({ any: nestedConditionsSchema })]),
)
const nestedConditionsSchema = v.pipe(v.array(conditionSchema), v.maxLength(50))

/** Whether `value` is nested no deeper than a definition can be, so that recursing into it cannot overflow the stack. */
export function isShallow(value: unknown, depth = 4 * DEEPEST_CONDITION): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((each) => isShallow(each, depth - 1))
}
