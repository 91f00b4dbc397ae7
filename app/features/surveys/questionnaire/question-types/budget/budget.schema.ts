import * as v from 'valibot'
import { commonProperties, optionListProperties } from '../question-parts.schema.ts'

export const BUDGET_MEASURES = ['points', 'percent', 'money'] as const

/** A total to be allocated completely among the options: points, per cent or money. */
export const BUDGET_SCHEMA = v.strictObject({
  ...commonProperties,
  type: v.literal('budget'),
  ...optionListProperties,
  measure: v.picklist(BUDGET_MEASURES),
  total: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1e12)),
  /** ISO 4217, for money. */
  currency: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'wrong-format'))),
})
