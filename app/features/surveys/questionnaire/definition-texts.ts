import { LANGUAGES } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'

const LANGUAGE_CODES = new Set<string>(LANGUAGES)

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
