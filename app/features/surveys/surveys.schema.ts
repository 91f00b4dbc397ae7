import * as v from 'valibot'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { BUDGET_SCHEMA } from './questionnaire/question-types/budget/budget.schema.ts'
import { CHOICE_SCHEMAS } from './questionnaire/question-types/choices/choices.schema.ts'
import { FILE_SCHEMA, sentFileSchema } from './questionnaire/question-types/files/files.schema.ts'
import { GRID_SCHEMAS } from './questionnaire/question-types/grid/grid.schema.ts'
import { INFO_SCHEMA } from './questionnaire/question-types/info/info.schema.ts'
import { MOMENT_SCHEMAS } from './questionnaire/question-types/moment/moment.schema.ts'
import { NUMBER_SCHEMAS } from './questionnaire/question-types/numbers/numbers.schema.ts'
import { PLACE_SCHEMAS } from './questionnaire/question-types/places/places.schema.ts'
import { RANKING_SCHEMA } from './questionnaire/question-types/ranking/ranking.schema.ts'
import { SCALE_SCHEMAS } from './questionnaire/question-types/scales/scales.schema.ts'
import { TEXT_SCHEMAS } from './questionnaire/question-types/text/text.schema.ts'
import { conditionSchema, isShallow } from './questionnaire/conditions.schema.ts'
import { itemIdSchema } from './questionnaire/item-id.schema.ts'

export const QUESTION_TYPES = [
  'short_text',
  'long_text',
  'one_choice',
  'several_choices',
  'dropdown',
  'yes_no',
  'picture_choice',
  'rating',
  'scale',
  'nps',
  'likert',
  'matrix_one',
  'matrix_several',
  'ranking',
  'number',
  'slider',
  'budget',
  'date',
  'time',
  'email',
  'phone',
  'address',
  'place',
  'file',
  'consent',
  'demographic',
  'info',
] as const
export type QuestionType = (typeof QUESTION_TYPES)[number]

export const questionSchema = v.variant('type', [
  ...TEXT_SCHEMAS,
  ...CHOICE_SCHEMAS,
  ...SCALE_SCHEMAS,
  ...NUMBER_SCHEMAS,
  ...GRID_SCHEMAS,
  ...MOMENT_SCHEMAS,
  ...PLACE_SCHEMAS,
  RANKING_SCHEMA,
  BUDGET_SCHEMA,
  FILE_SCHEMA,
  INFO_SCHEMA,
])

const pageSchema = v.strictObject({
  id: itemIdSchema,
  title: v.optional(createTranslatedSchema(300)),
  intro: v.optional(createTranslatedSchema(5000)),
  questions: v.pipe(v.array(questionSchema), v.maxLength(200)),
  showIf: v.optional(conditionSchema),
  /** Each person sees the questions in a different order. */
  shuffle: v.optional(v.boolean()),
  /**
   * Where to go after this page: the first entry whose condition holds, otherwise the next page. `end` is an ending's id, or '' for the end
   * of the survey.
   */
  next: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          when: v.optional(conditionSchema),
          page: v.optional(itemIdSchema),
          end: v.optional(v.union([itemIdSchema, v.literal('')])),
        }),
      ),
      v.maxLength(50),
    ),
  ),
})

/** A custom closing page, for people who finish early or find a quota full. */
const endingSchema = v.strictObject({
  id: itemIdSchema,
  title: createTranslatedSchema(300),
  text: v.optional(createTranslatedSchema(5000)),
})

/** At most `limit` responses that satisfy `when`; later ones are not stored, and the closing page says so. */
const quotaSchema = v.strictObject({
  id: itemIdSchema,
  when: conditionSchema,
  limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000_000)),
  end: v.optional(itemIdSchema),
})

/**
 * What a survey asks. A draft may be incomplete (blank titles, no options); `checkDefinition` in `questionnaire/check-definition.ts` has
 * the requirements for publishing.
 */
export const definitionSchema = v.pipe(
  v.unknown(),
  v.check(isShallow, 'wrong-format'),
  v.strictObject({
    schema: v.literal(1),
    pages: v.pipe(v.array(pageSchema), v.maxLength(50)),
    endings: v.optional(v.pipe(v.array(endingSchema), v.maxLength(20))),
    quotas: v.optional(v.pipe(v.array(quotaSchema), v.maxLength(50))),
  }),
)

export type Definition = v.InferOutput<typeof definitionSchema>
export type Page = v.InferOutput<typeof pageSchema>
export type { Option, Row } from './questionnaire/question-types/question-parts.schema.ts'
export type Question = v.InferOutput<typeof questionSchema>
export type QuestionOf<T extends QuestionType> = Extract<Question, { type: T }>

const answerTextSchema = v.pipe(v.string(), v.maxLength(100_000))
/** A number, or the text typed instead of one: drafts keep incomplete input. */
const typedNumberSchema = v.union([v.number(), v.pipe(v.string(), v.maxLength(100))])
const addressLineSchema = v.optional(v.pipe(v.string(), v.maxLength(1000)))

const answerSchema = v.union([
  answerTextSchema,
  v.number(),
  v.strictObject({ choice: itemIdSchema, other: v.optional(answerTextSchema) }),
  v.strictObject({ choices: v.pipe(v.array(itemIdSchema), v.maxLength(200)), other: v.optional(answerTextSchema) }),
  /** Grid: the columns chosen in each row. */
  v.strictObject({ rows: v.record(itemIdSchema, v.pipe(v.array(itemIdSchema), v.maxLength(100))) }),
  /** Ranking: the rank of each option, from 1. */
  v.strictObject({ ranks: v.record(itemIdSchema, typedNumberSchema) }),
  /** Budget: the amount for each option. */
  v.strictObject({ amounts: v.record(itemIdSchema, typedNumberSchema) }),
  v.strictObject({ address: v.strictObject({ street: addressLineSchema, town: addressLineSchema, postcode: addressLineSchema }) }),
  v.strictObject({ files: v.pipe(v.array(sentFileSchema), v.maxLength(20)) }),
  v.strictObject({
    place: v.strictObject({ address: addressLineSchema, lat: v.optional(typedNumberSchema), lng: v.optional(typedNumberSchema) }),
  }),
])

/** Answers by question id. `checkAnswers` checks them against the survey. */
export const answersSchema = v.record(itemIdSchema, answerSchema)

export type Answer = v.InferOutput<typeof answerSchema>
export type Answers = v.InferOutput<typeof answersSchema>

/** A secret that the sender of a response creates for one sending. */
