import * as v from 'valibot'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { conditionSchema } from '../conditions.schema.ts'
import { itemIdSchema } from '../item-id.schema.ts'

/** Building blocks for question definitions. */

export const createCountSchema = (max: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(max))
export const finiteNumberSchema = v.pipe(v.number(), v.finite(), v.minValue(-1e12), v.maxValue(1e12))
export const removedSchema = v.optional(v.literal(true))

/** A path on this site, or an https URL. */
export const linkSchema = v.pipe(v.string(), v.maxLength(1000), v.regex(/^(\/(?!\/)|https:\/\/)/, 'not-a-link'))
export const pictureSchema = v.strictObject({ url: linkSchema, alt: createTranslatedSchema(500) })

export const MAX_OPTIONS = 200
/** Of a question that takes one answer. */
export const MAX_LISTED_OPTIONS = 5000

/** An item to choose, rank, allocate to or rate. */
const rowProperties = {
  id: itemIdSchema,
  label: createTranslatedSchema(300),
  help: v.optional(createTranslatedSchema(500)),
  showIf: v.optional(conditionSchema),
  /** No longer offered; kept for existing answers. */
  removed: removedSchema,
}

export const rowSchema = v.strictObject(rowProperties)
export const rowsSchema = v.pipe(v.array(rowSchema), v.maxLength(100))

const optionSchema = v.strictObject({
  ...rowProperties,
  picture: v.optional(pictureSchema),
  /** Has a text field beside it. */
  other: v.optional(v.literal(true)),
  /** Cannot be combined with any other option, e.g. "None of these". */
  exclusive: v.optional(v.literal(true)),
})
const optionsSchema = v.pipe(v.array(optionSchema), v.maxLength(MAX_OPTIONS))
/** The options of a question that takes only one of them, such as all schools or streets of a town. */
const listedOptionsSchema = v.pipe(v.array(optionSchema), v.maxLength(MAX_LISTED_OPTIONS))

export type Row = v.InferOutput<typeof rowSchema>
export type Option = v.InferOutput<typeof optionSchema>

export const commonProperties = {
  id: itemIdSchema,
  title: createTranslatedSchema(500),
  help: v.optional(createTranslatedSchema(2000)),
  required: v.optional(v.boolean()),
  /** Shown only if this holds for the earlier answers. */
  showIf: v.optional(conditionSchema),
  /** No longer asked; kept for existing answers. */
  removed: removedSchema,
  /** Key of the question about people whose answer fills in this one. */
  profile: v.optional(itemIdSchema),
}

const choiceProperties = {
  /** Each person sees the options in a different order, "other" and exclusive ones last. */
  shuffle: v.optional(v.boolean()),
  /** Options carried over from an earlier question: those chosen there, or those not chosen. They come before its own. */
  carry: v.optional(v.strictObject({ question: itemIdSchema, which: v.picklist(['chosen', 'not_chosen']) })),
}

/** The order of the options has a meaning, such as daily, weekly, never: results keep it. */
export const orderProperties = { ordered: v.optional(v.boolean()) }

export const optionListProperties = { options: optionsSchema, ...choiceProperties }
export const longOptionListProperties = { options: listedOptionsSchema, ...choiceProperties }
