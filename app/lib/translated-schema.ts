import * as v from 'valibot'
import { CONTENT_LANGUAGES } from './languages.ts'

export const createTranslatedSchema = (max: number) => {
  const textSchema = v.optional(v.pipe(v.string(), v.maxLength(max)))
  return v.strictObject(v.entriesFromList(CONTENT_LANGUAGES, textSchema))
}
