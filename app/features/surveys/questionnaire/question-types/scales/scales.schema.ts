import * as v from 'valibot'
import { translatedSchema } from '#app/lib/translated-schema.ts'
import { common } from '../parts.schema.ts'

const whole = (min: number, max: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max))
const ends = { low: v.optional(translatedSchema(100)), high: v.optional(translatedSchema(100)) }

export const RATING_LOOKS = ['numbers', 'stars', 'faces'] as const

export const SCALE_SCHEMAS = [
  v.strictObject({
    ...common,
    type: v.literal('rating'),
    look: v.optional(v.picklist(RATING_LOOKS)),
    scale: v.strictObject({ max: whole(2, 10), ...ends }),
  }),
  v.strictObject({ ...common, type: v.literal('scale'), scale: v.strictObject({ min: whole(0, 1), max: whole(2, 10), ...ends }) }),
  /** How likely somebody is to recommend something, from 0 to 10. */
  v.strictObject({ ...common, type: v.literal('nps'), ...ends }),
] as const
