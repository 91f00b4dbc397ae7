import * as v from 'valibot'
import { translatedSchema } from '#app/lib/translated-schema.ts'
import { LONGEST_TEXT } from './surveys.limits.ts'

export const SURVEY_STATUSES = ['draft', 'published', 'archived'] as const
export type SurveyStatus = (typeof SURVEY_STATUSES)[number]

/** Who may answer: `signed_in`, `confirmed` and `members` answer once each; `anyone_once` once in each browser. */
export const SURVEY_ACCESS = ['anyone', 'anyone_once', 'signed_in', 'confirmed', 'members'] as const
export type SurveyAccess = (typeof SURVEY_ACCESS)[number]

/** How it is put to participants; `site` follows the site's `show_revised_survey`. */
export const SURVEY_VARIANTS = ['site', 'classic', 'revised'] as const
export type SurveyVariant = (typeof SURVEY_VARIANTS)[number]

export const QUESTION_TYPES = ['short_text', 'long_text', 'one_choice', 'several_choices', 'rating'] as const
export type QuestionType = (typeof QUESTION_TYPES)[number]

/** Opaque and stable: a question, option or page keeps its id for life, so that answers find it in every version. */
const keptId = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/, 'wrong-format'))
const count = (max: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(max))

const optionSchema = v.strictObject({
  id: keptId,
  label: translatedSchema(300),
  help: v.optional(translatedSchema(500)),
  /** Asks for words of one's own beside it. */
  other: v.optional(v.literal(true)),
  /** Cannot be combined with any other option, e.g. "None of these". */
  exclusive: v.optional(v.literal(true)),
})

const common = {
  id: keptId,
  title: translatedSchema(500),
  help: v.optional(translatedSchema(2000)),
  required: v.optional(v.boolean()),
}
const textQuestion = <T extends 'short_text' | 'long_text'>(type: T) =>
  v.strictObject({
    ...common,
    type: v.literal(type),
    minLength: v.optional(count(LONGEST_TEXT[type])),
    maxLength: v.optional(count(LONGEST_TEXT[type])),
  })

const options = v.pipe(v.array(optionSchema), v.maxLength(200))

const questionSchema = v.variant('type', [
  textQuestion('short_text'),
  textQuestion('long_text'),
  v.strictObject({ ...common, type: v.literal('one_choice'), options }),
  v.strictObject({
    ...common,
    type: v.literal('several_choices'),
    options,
    minChoices: v.optional(count(200)),
    maxChoices: v.optional(count(200)),
  }),
  v.strictObject({
    ...common,
    type: v.literal('rating'),
    scale: v.strictObject({
      max: v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(10)),
      low: v.optional(translatedSchema(100)),
      high: v.optional(translatedSchema(100)),
    }),
  }),
])

const pageSchema = v.strictObject({
  id: keptId,
  title: v.optional(translatedSchema(300)),
  intro: v.optional(translatedSchema(5000)),
  questions: v.pipe(v.array(questionSchema), v.maxLength(200)),
})

/**
 * What a survey asks. A draft may be unfinished (blank titles, no options); what must hold before it is published is
 * `checkDefinition` in `surveys.definition.ts`.
 */
export const definitionSchema = v.strictObject({ schema: v.literal(1), pages: v.pipe(v.array(pageSchema), v.maxLength(50)) })

export type Definition = v.InferOutput<typeof definitionSchema>
export type Page = v.InferOutput<typeof pageSchema>
export type Option = v.InferOutput<typeof optionSchema>
export type Question = v.InferOutput<typeof questionSchema>
export type QuestionOf<T extends QuestionType> = Extract<Question, { type: T }>

const answerText = v.pipe(v.string(), v.maxLength(100_000))
const answerSchema = v.union([
  answerText,
  v.number(),
  v.strictObject({ choice: keptId, other: v.optional(answerText) }),
  v.strictObject({ choices: v.pipe(v.array(keptId), v.maxLength(200)), other: v.optional(answerText) }),
])

/** Answers by question id: text, a rating, one choice or several. Whether they suit the survey is `checkAnswers`. */
export const answersSchema = v.record(keptId, answerSchema)

export type Answer = v.InferOutput<typeof answerSchema>
export type Answers = v.InferOutput<typeof answersSchema>

/** What only the sender of a response knows, made up for one sending. */
export const sendKeySchema = v.pipe(v.string(), v.minLength(16), v.maxLength(100), v.regex(/^[\w-]+$/))
