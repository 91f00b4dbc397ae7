import * as v from 'valibot'
import { common, rowsSchema } from '../parts.schema.ts'

const grid = <T extends 'likert' | 'matrix_one' | 'matrix_several'>(type: T) =>
  v.strictObject({
    ...common,
    type: v.literal(type),
    rows: rowsSchema,
    /** What can be said of each row; of `likert` in order, from one end to the other. */
    columns: rowsSchema,
    /** Each person sees the rows in an order of their own. */
    shuffle: v.optional(v.boolean()),
  })

export const GRID_SCHEMAS = [grid('likert'), grid('matrix_one'), grid('matrix_several')] as const
