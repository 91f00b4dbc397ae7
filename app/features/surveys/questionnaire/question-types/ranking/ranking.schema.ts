import * as v from 'valibot'
import { common, count, withOptions } from '../parts.schema.ts'

/** Put in order, the most important first; at most `maxRanked` of them where that is said. */
export const RANKING_SCHEMA = v.strictObject({ ...common, type: v.literal('ranking'), ...withOptions, maxRanked: v.optional(count(200)) })
