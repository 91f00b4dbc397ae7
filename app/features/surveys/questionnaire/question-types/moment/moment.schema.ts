import * as v from 'valibot'
import { commonProperties } from '../question-parts.schema.ts'

const daySchema = v.optional(v.pipe(v.string(), v.isoDate('not-a-date')))
const clockTimeSchema = v.optional(v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'wrong-format')))

export const MOMENT_SCHEMAS = [
  v.strictObject({ ...commonProperties, type: v.literal('date'), earliest: daySchema, latest: daySchema }),
  v.strictObject({ ...commonProperties, type: v.literal('time'), earliest: clockTimeSchema, latest: clockTimeSchema }),
] as const
