import * as v from 'valibot'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'

export const MAX_SIGN_UP_QUESTIONS = 10
export const MAX_SIGN_UP_OPTIONS = 20
/** Room for what is no longer asked: it stays with its answers. */
const MAX_KEPT = 60
const idSchema = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/))
const numberSchema = v.optional(v.pipe(v.number(), v.finite(), v.minValue(-1e12), v.maxValue(1e12)))

const common = {
  id: idSchema,
  title: createTranslatedSchema(200),
  help: v.optional(createTranslatedSchema(500)),
  required: v.optional(v.boolean()),
  /** No longer asked; its answers stay. */
  removed: v.optional(v.literal(true)),
}
const optionSchema = v.strictObject({
  id: idSchema,
  label: createTranslatedSchema(200),
  /** No longer offered; kept for the answers that name it. */
  removed: v.optional(v.literal(true)),
})
const withOptions = { ...common, options: v.pipe(v.array(optionSchema), v.maxLength(MAX_KEPT)) }

/** Some of the questionnaire's types: each is a question as surveys know it. */
const signUpQuestionSchema = v.variant('type', [
  v.strictObject({ ...common, type: v.literal('short_text') }),
  v.strictObject({ ...common, type: v.literal('long_text') }),
  v.strictObject({ ...common, type: v.literal('date') }),
  v.strictObject({ ...common, type: v.literal('yes_no') }),
  v.strictObject({ ...withOptions, type: v.literal('one_choice') }),
  v.strictObject({ ...withOptions, type: v.literal('several_choices') }),
  v.strictObject({ ...common, type: v.literal('number'), min: numberSchema, max: numberSchema }),
])
export type SignUpQuestion = v.InferOutput<typeof signUpQuestionSchema>

/** Questions asked at sign-up, in order. */
export const signUpQuestionsSchema = v.pipe(v.array(signUpQuestionSchema), v.maxLength(MAX_KEPT))
