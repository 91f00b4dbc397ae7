import * as v from 'valibot'
import { LANGUAGES } from './languages.ts'

export const languageSchema = v.picklist(LANGUAGES)
