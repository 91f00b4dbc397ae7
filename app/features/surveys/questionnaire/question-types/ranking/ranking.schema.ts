import * as v from 'valibot'
import { commonProperties, createCountSchema, optionListProperties } from '../question-parts.schema.ts'

/** Put in order, the most important first; at most `maxRanked` of them where that is said. */
export const RANKING_SCHEMA = v.strictObject({
  ...commonProperties,
  type: v.literal('ranking'),
  ...optionListProperties,
  maxRanked: v.optional(createCountSchema(200)),
})
