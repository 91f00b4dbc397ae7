import * as v from 'valibot'
import { commonProperties } from '../question-parts.schema.ts'

export const PLACE_SCHEMAS = [
  /** A postal address, or only the postcode of one. */
  v.strictObject({ ...commonProperties, type: v.literal('address'), ask: v.picklist(['address', 'postcode']) }),
  /** A place on the map, said in words as well as by coordinates. */
  v.strictObject({ ...commonProperties, type: v.literal('place') }),
] as const
