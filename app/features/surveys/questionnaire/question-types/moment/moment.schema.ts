import * as v from 'valibot'
import { common } from '../parts.schema.ts'

const day = v.optional(v.pipe(v.string(), v.isoDate('not-a-date')))
const clock = v.optional(v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'wrong-format')))

export const MOMENT_SCHEMAS = [
  v.strictObject({ ...common, type: v.literal('date'), earliest: day, latest: day }),
  v.strictObject({ ...common, type: v.literal('time'), earliest: clock, latest: clock }),
] as const
