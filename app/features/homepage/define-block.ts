import * as v from 'valibot'
import { type Fields, collectSchemas, type ShownOf, type StoredOf } from './block-fields.ts'

/** A kind of block: its fields, and when it is empty. `Data` is looked up when the page loads. */
export interface BlockKind<Type extends string = string, F extends Fields = Fields, Data = unknown> {
  readonly type: Type
  readonly fields: F
  readonly schema: v.GenericSchema<unknown, { id: string; type: Type } & StoredOf<F>>
  /** Empty blocks are left out of the page; the editor explains why. */
  isEmpty(shown: ShownOf<F>, data: Data): boolean
}

const blockIdSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(60), v.regex(/^[\w-]+$/))

export function defineBlock<const Type extends string, F extends Fields, Data = null>(
  type: Type,
  fields: F,
  options: { isEmpty?: (shown: ShownOf<F>, data: Data) => boolean } = {},
): BlockKind<Type, F, Data> {
  return {
    type,
    fields,
    schema: v.object({ id: blockIdSchema, type: v.literal(type), ...collectSchemas(fields) }) as unknown as BlockKind<
      Type,
      F,
      Data
    >['schema'],
    isEmpty: options.isEmpty ?? (() => false),
  }
}

/** Defines a block whose emptiness does not depend on the data looked up for it. */
export const defineBlockShowing =
  <Data>() =>
  <const Type extends string, F extends Fields>(
    type: Type,
    fields: F,
    options: { isEmpty?: (shown: ShownOf<F>) => boolean } = {},
  ): BlockKind<Type, F, Data> =>
    defineBlock<Type, F, Data>(type, fields, options)
