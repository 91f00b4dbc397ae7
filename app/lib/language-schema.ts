import * as v from 'valibot'
import { CONTENT_LANGUAGES, LANGUAGES } from './languages.ts'

/** A language of the interface. */
export const languageSchema = v.picklist(LANGUAGES)

/** A language of content: also one that a site may add. */
export const contentLanguageSchema = v.picklist(CONTENT_LANGUAGES)
