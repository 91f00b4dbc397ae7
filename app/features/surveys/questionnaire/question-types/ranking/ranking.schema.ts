import * as v from 'valibot'
import { commonProperties, createCountSchema, optionListProperties } from '../question-parts.schema.ts'

/** Options in order of importance; at most `maxRanked` of them if set. */
export const RANKING_SCHEMA = v.strictObject({
  ...commonProperties,
  type: v.literal('ranking'),
  ...optionListProperties,
  maxRanked: v.optional(createCountSchema(200)),
})
