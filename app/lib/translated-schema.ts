import * as v from 'valibot'
import { LANGUAGES } from './languages.ts'

export const createTranslatedSchema = (max: number) =>
  v.strictObject(v.entriesFromList(LANGUAGES, v.optional(v.pipe(v.string(), v.maxLength(max)))))
