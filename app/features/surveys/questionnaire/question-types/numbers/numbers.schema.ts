import * as v from 'valibot'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { commonProperties, createCountSchema, finiteNumberSchema } from '../question-parts.schema.ts'

const unitSchema = v.optional(createTranslatedSchema(40))

export const NUMBER_SCHEMAS = [
  v.strictObject({
    ...commonProperties,
    type: v.literal('number'),
    min: v.optional(finiteNumberSchema),
    max: v.optional(finiteNumberSchema),
    /** Decimal places; whole numbers by default. */
    decimals: v.optional(createCountSchema(6)),
    unit: unitSchema,
  }),
  v.strictObject({
    ...commonProperties,
    type: v.literal('slider'),
    min: finiteNumberSchema,
    max: finiteNumberSchema,
    step: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0.000001))),
    unit: unitSchema,
    low: v.optional(createTranslatedSchema(100)),
    high: v.optional(createTranslatedSchema(100)),
  }),
] as const
