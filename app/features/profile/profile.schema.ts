import * as v from 'valibot'
import type { Question } from '#app/features/surveys/surveys.schema.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import type { ProfileQuestionType, ProfileSource } from '#app/lib/vocabulary/profile.ts'

/** Of the questions that are asked, so many may be required. */
export const MOST_REQUIRED = 3
export const MOST_QUESTIONS = 50
export const MAX_RETENTION_MONTHS = 120

/** A question's key or an option's id: it never changes, and filters, exports and linked surveys name it. */
export const profileKeySchema = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/, 'wrong-format'))

export const profileOptionsSchema = v.pipe(
  v.array(
    v.strictObject({
      id: profileKeySchema,
      label: createTranslatedSchema(300),
      /** No longer offered; kept for the people who chose it. */
      retired: v.optional(v.literal(true)),
    }),
  ),
  v.maxLength(200),
)
export type ProfileOption = v.InferOutput<typeof profileOptionsSchema>[number]

interface QuestionTexts {
  label: Translated
  help: Translated
  purpose: Translated
  options: readonly ProfileOption[]
}

/** The texts of a question, for translators. Retired options are not shown to anybody who has not chosen them. */
export const listQuestionTexts = ({ label, help, purpose, options }: QuestionTexts): TranslatedText[] => [
  { pointer: '/labelTranslations', text: label, isNeeded: true, max: 300 },
  { pointer: '/helpTranslations', text: help, max: 1000 },
  { pointer: '/purposeTranslations', text: purpose, isNeeded: true, max: 500 },
  ...options.flatMap(({ label: text, retired }, at): TranslatedText[] =>
    retired ? [] : [{ pointer: `/options/${at}/label`, text, isNeeded: true, max: 300 }],
  ),
]

/** An answer as the questionnaire stores it: text, a year, an option, or several. */
export const profileAnswerSchema = v.union([
  v.pipe(v.string(), v.maxLength(500)),
  v.number(),
  v.strictObject({ choice: v.pipe(v.string(), v.maxLength(80)) }),
  v.strictObject({ choices: v.pipe(v.array(v.pipe(v.string(), v.maxLength(80))), v.maxLength(200)) }),
])
export type ProfileAnswer = v.InferOutput<typeof profileAnswerSchema>

export const takesOptions = (type: ProfileQuestionType): boolean => type === 'one-choice' || type === 'several-choices'

/** A question as people are asked it. */
export interface AskedQuestion {
  id: string
  key: string
  type: ProfileQuestionType
  /** For the fields of the questionnaire. Its help says why it is asked and how long answers are kept. */
  question: Question
  /** The rest of the explanation, in the page's language, if the help is in another one. */
  note?: string
  /** Name of its field, and its label in error summaries. */
  field: string
  label: LocalisedText
}

/** A person's own answer, or the question that it could be given to. */
export interface OwnAnswer extends AskedQuestion {
  answer: ProfileAnswer | null
  /** As text: one line, or one per option. */
  lines: string[]
  answeredAt: Date | null
  source: ProfileSource | null
  /** No longer asked: the answer can only be deleted. */
  retired: boolean
}
