import * as v from 'valibot'
import { commonProperties, rowsSchema } from '../question-parts.schema.ts'

const createGridSchema = <T extends 'likert' | 'matrix_one' | 'matrix_several'>(type: T) =>
  v.strictObject({
    ...commonProperties,
    type: v.literal(type),
    rows: rowsSchema,
    /** The choices for each row; for `likert` in order, from one end to the other. */
    columns: rowsSchema,
    /** Each person sees the rows in a different order. */
    shuffle: v.optional(v.boolean()),
  })

export const GRID_SCHEMAS = [createGridSchema('likert'), createGridSchema('matrix_one'), createGridSchema('matrix_several')] as const
