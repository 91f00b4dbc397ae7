import * as v from 'valibot'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { conditionSchema } from '../conditions.schema.ts'
import { itemIdSchema } from '../item-id.schema.ts'

/** What definitions of questions are made of. */

export const createCountSchema = (max: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(max))
export const finiteNumberSchema = v.pipe(v.number(), v.finite(), v.minValue(-1e12), v.maxValue(1e12))
export const removedSchema = v.optional(v.literal(true))

/** An address of this site, or of another over a safe connection. */
export const linkSchema = v.pipe(v.string(), v.maxLength(1000), v.regex(/^(\/(?!\/)|https:\/\/)/, 'not-a-link'))
export const pictureSchema = v.strictObject({ url: linkSchema, alt: createTranslatedSchema(500) })

/** One thing to be chosen, put in order, given money or rated. */
const rowProperties = {
  id: itemIdSchema,
  label: createTranslatedSchema(300),
  help: v.optional(createTranslatedSchema(500)),
  showIf: v.optional(conditionSchema),
  /** No longer offered; kept for the answers that have it. */
  removed: removedSchema,
}

export const rowSchema = v.strictObject(rowProperties)
export const rowsSchema = v.pipe(v.array(rowSchema), v.maxLength(100))

const optionSchema = v.strictObject({
  ...rowProperties,
  picture: v.optional(pictureSchema),
  /** Asks for words of one's own beside it. */
  other: v.optional(v.literal(true)),
  /** Cannot be combined with any other option, e.g. "None of these". */
  exclusive: v.optional(v.literal(true)),
})
export const optionsSchema = v.pipe(v.array(optionSchema), v.maxLength(200))

export type Row = v.InferOutput<typeof rowSchema>
export type Option = v.InferOutput<typeof optionSchema>

/** What every question has. */
export const commonProperties = {
  id: itemIdSchema,
  title: createTranslatedSchema(500),
  help: v.optional(createTranslatedSchema(2000)),
  required: v.optional(v.boolean()),
  /** Shown only where this holds for the answers given before it. */
  showIf: v.optional(conditionSchema),
  /** No longer asked; kept for the answers it was given. */
  removed: removedSchema,
}

/** What questions with options have. */
export const optionListProperties = {
  options: optionsSchema,
  /** Each person sees the options in an order of their own, "other" and exclusive ones last. */
  shuffle: v.optional(v.boolean()),
  /** Options carried forward from an earlier question: those chosen there, or those left. They come before its own. */
  carry: v.optional(v.strictObject({ question: itemIdSchema, which: v.picklist(['chosen', 'not_chosen']) })),
}
