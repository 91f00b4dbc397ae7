import * as v from 'valibot'
import { translatedSchema } from '#app/lib/translated-schema.ts'
import { common, count, finite } from '../parts.schema.ts'

const unit = v.optional(translatedSchema(40))

export const NUMBER_SCHEMAS = [
  v.strictObject({
    ...common,
    type: v.literal('number'),
    min: v.optional(finite),
    max: v.optional(finite),
    /** Digits after the decimal sign; whole numbers unless said. */
    decimals: v.optional(count(6)),
    unit,
  }),
  v.strictObject({
    ...common,
    type: v.literal('slider'),
    min: finite,
    max: finite,
    step: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0.000001))),
    unit,
    low: v.optional(translatedSchema(100)),
    high: v.optional(translatedSchema(100)),
  }),
] as const
