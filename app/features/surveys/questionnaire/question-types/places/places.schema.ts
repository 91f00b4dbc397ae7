import * as v from 'valibot'
import { commonProperties } from '../question-parts.schema.ts'

export const PLACE_SCHEMAS = [
  /** A postal address, or only its postcode. */
  v.strictObject({ ...commonProperties, type: v.literal('address'), ask: v.picklist(['address', 'postcode']) }),
  /** A place on the map, in words or as coordinates. */
  v.strictObject({ ...commonProperties, type: v.literal('place') }),
] as const
