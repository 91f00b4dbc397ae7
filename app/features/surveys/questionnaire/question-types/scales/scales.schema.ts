import * as v from 'valibot'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { commonProperties } from '../question-parts.schema.ts'

const createWholeNumberSchema = (min: number, max: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max))
const scaleEndProperties = { low: v.optional(createTranslatedSchema(100)), high: v.optional(createTranslatedSchema(100)) }

export const RATING_LOOKS = ['numbers', 'stars', 'faces'] as const

export const SCALE_SCHEMAS = [
  v.strictObject({
    ...commonProperties,
    type: v.literal('rating'),
    look: v.optional(v.picklist(RATING_LOOKS)),
    scale: v.strictObject({ max: createWholeNumberSchema(2, 10), ...scaleEndProperties }),
  }),
  v.strictObject({
    ...commonProperties,
    type: v.literal('scale'),
    scale: v.strictObject({ min: createWholeNumberSchema(0, 1), max: createWholeNumberSchema(2, 10), ...scaleEndProperties }),
  }),
  /** How likely somebody is to recommend something, from 0 to 10. */
  v.strictObject({ ...commonProperties, type: v.literal('nps'), ...scaleEndProperties }),
] as const
