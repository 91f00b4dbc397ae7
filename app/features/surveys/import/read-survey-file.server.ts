import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage, Language } from '#app/lib/languages.ts'
import { ownFileSchema } from '../export/own-format.schema.ts'
import { checkDefinition } from '../questionnaire/check-definition.ts'
import { definitionSchema } from '../surveys.schema.ts'
import type { ImportFormat } from '#app/lib/vocabulary/surveys.ts'
import { assertShallow } from './assert-shallow.ts'
import { BeyondLimitsError } from './beyond-limits.ts'
import type { ImportedSurvey, TextRules } from './survey-draft-builder.ts'
import type { LanguageChoices } from './import.schema.ts'
import { isLimeSurveyLines } from './limesurvey-lines.ts'
import { parseLimeSurvey, parseLimeSurveyLines } from './limesurvey.ts'
import { parseOwnFile } from './own-file.ts'
import { parseSurveyJs, isSurveyJs } from './surveyjs.ts'
import { parseXlsForm } from './xlsform.server.ts'

export interface SurveyFile {
  file: Uint8Array
  /** The language of texts without a language. */
  locale: Language
  /** The site's languages. */
  languages: readonly ContentLanguage[]
  /** What to do with languages that the site lacks. */
  choices: LanguageChoices
}

export interface ReadSurvey {
  format: ImportFormat
  imported: ImportedSurvey
  /** Number of faults to fix before it can be published. */
  faults: number
}

/** Parses a file into the draft it would become. @throws {AppError} `invalid` with `unreadable-file` or `file-too-complex` at `/file` */
export async function readSurveyFile({ file, locale, languages, choices }: SurveyFile): Promise<ReadSurvey> {
  try {
    const { format, imported } = await parseSurveyFile(file, { fallback: locale, languages, choices })
    const definition = v.parse(definitionSchema, imported.definition)
    return { format, imported: { ...imported, definition }, faults: checkDefinition(definition, languages).length }
  } catch (error) {
    const code = error instanceof BeyondLimitsError ? 'file-too-complex' : 'unreadable-file'
    throw new AppError('invalid', { faults: [{ code, pointer: '/file' }] })
  }
}

async function parseSurveyFile(file: Uint8Array, rules: TextRules): Promise<Omit<ReadSurvey, 'faults'>> {
  if (file[0] === 0x50 && file[1] === 0x4b) return { format: 'xlsform', imported: await parseXlsForm(file, rules) }
  const text = new TextDecoder('utf-8', { fatal: true }).decode(file).replaceAll('\0', '')
  if (text.trimStart().startsWith('<')) return { format: 'limesurvey', imported: parseLimeSurvey(text, rules) }
  if (isLimeSurveyLines(text)) return { format: 'limesurvey', imported: parseLimeSurveyLines(text, rules) }
  assertShallow(text)
  const json: unknown = JSON.parse(text)
  const own = v.safeParse(ownFileSchema, json)
  if (own.success) return { format: 'parley', imported: parseOwnFile(own.output, rules) }
  if (isSurveyJs(json)) return { format: 'surveyjs', imported: parseSurveyJs(json, rules) }
  throw new Error('Not a file format we can read')
}
