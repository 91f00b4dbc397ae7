import * as v from 'valibot'

/** A word that begins a survey: letters and digits. Without case and accents it is what people may text. */
const keywordSchema = v.pipe(v.string(), v.trim(), v.regex(/^[\p{L}\p{N}]{3,15}$/u, 'wrong-format'))

/** A survey's words by language; none: it is not open to texts. */
export const surveyKeywordsSchema = v.strictObject({
  en: v.optional(keywordSchema),
  'fr-CA': v.optional(keywordSchema),
  cy: v.optional(keywordSchema),
})
export type SurveyKeywords = v.InferOutput<typeof surveyKeywordsSchema>
