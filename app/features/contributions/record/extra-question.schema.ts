import * as v from 'valibot'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { FIELD_AUDIENCES } from '#app/lib/vocabulary/contributions.ts'

/** Room for what is no longer asked: it stays with its answers. */
const MAX_KEPT = 60
const idSchema = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/))
const numberSchema = v.optional(v.pipe(v.number(), v.finite(), v.minValue(-1e12), v.maxValue(1e12)))

const common = {
  id: idSchema,
  title: createTranslatedSchema(200),
  help: v.optional(createTranslatedSchema(500)),
  required: v.optional(v.boolean()),
  shownTo: v.picklist(FIELD_AUDIENCES),
  /** No longer asked; its answers stay. */
  archived: v.optional(v.boolean()),
}

const optionSchema = v.strictObject({
  id: idSchema,
  label: createTranslatedSchema(200),
  /** No longer offered; kept for the answers that name it. */
  removed: v.optional(v.literal(true)),
})
const withOptions = {
  ...common,
  options: v.pipe(v.array(optionSchema), v.maxLength(MAX_KEPT)),
}

const extraQuestionSchema = v.variant('type', [
  v.strictObject({ ...common, type: v.picklist(['short_text', 'long_text', 'date', 'yes_no']) }),
  v.strictObject({ ...withOptions, type: v.picklist(['one_choice', 'several_choices']) }),
  v.strictObject({ ...common, type: v.literal('number'), min: numberSchema, max: numberSchema }),
])

/** Extra questions of an activity, in order. */
export const extraQuestionsSchema = v.pipe(v.array(extraQuestionSchema), v.maxLength(MAX_KEPT))
export type ExtraQuestion = v.InferOutput<typeof extraQuestionSchema>
