import { LANGUAGES } from '#app/lib/languages.ts'
import * as v from 'valibot'

/** A word that starts a survey: letters and digits. People may text it in any case, without accents. */
const keywordSchema = v.pipe(v.string(), v.trim(), v.regex(/^[\p{L}\p{N}]{3,15}$/u, 'wrong-format'))

/** A survey's words by language; empty: the survey takes no text messages. */
export const surveyKeywordsSchema = v.strictObject(v.entriesFromList(LANGUAGES, v.optional(keywordSchema)))
export type SurveyKeywords = v.InferOutput<typeof surveyKeywordsSchema>
