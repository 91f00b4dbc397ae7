import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'

const LANGUAGE_CODES = new Set<string>(CONTENT_LANGUAGES)

/** Whether a part of a definition is a translated text. Nothing else in a definition has only language codes as keys. */
export const isTranslated = (value: unknown): value is Translated =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).every((name) => LANGUAGE_CODES.has(name))

/** Maps every text of a definition or a part of one; ids, rules and order stay. */
export function mapTexts<T>(part: T, text: (from: Translated) => Translated): T {
  if (Array.isArray(part)) return part.map((each: unknown) => mapTexts(each, text)) as T
  if (typeof part !== 'object' || part === null) return part
  if (isTranslated(part)) return text(part) as T
  return Object.fromEntries(Object.entries(part).map(([name, value]: [string, unknown]) => [name, mapTexts(value, text)])) as T
}

/** Texts that are written in one line, or with formatting; the others are plain text of several lines. */
const LINES = new Set(['title', 'label', 'alt', 'unit', 'low', 'high'])

/** Every text of a part of a definition that people can read. Removed questions and options are left out. */
function listTexts(part: object, at: string): TranslatedText[] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]): TranslatedText[] => {
    if (typeof value !== 'object' || value === null || name === 'showIf' || name === 'carry') return []
    const pointer = `${at}/${name}`
    if (isTranslated(value)) return [{ pointer, text: value, ...(LINES.has(name) ? {} : { format: 'text' }) }]
    return 'removed' in value && value.removed ? [] : listTexts(value, pointer)
  })
}

/** What people read in a survey: its own texts, and those of its questions. */
export const listSurveyTexts = (
  survey: { title: Translated; intro: Translated; thanks: Translated },
  definition: object,
): TranslatedText[] => [
  { pointer: '/title', text: survey.title, max: 200 },
  { pointer: '/intro', text: survey.intro, format: 'rich' },
  { pointer: '/thanks', text: survey.thanks, format: 'rich' },
  ...listTexts(definition, '/definition'),
]
