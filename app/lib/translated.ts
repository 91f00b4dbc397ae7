import { type ContentLanguage, LANGUAGES } from './languages.ts'

/** Text by language. A missing or blank language falls back, see `getTranslation`. */
export type Translated = Partial<Record<ContentLanguage, string>>

/** A name that is the same in every language. */
export const sayEverywhere = (name: string): Translated => Object.fromEntries(LANGUAGES.map((language) => [language, name]))

/** True if there is text in any language. */
export const hasText = (text: Translated): boolean => Object.values(text).some((one) => one.trim())

/** The text in `language`, else in `fallback`, else in the first language that has one, else ''. */
export function getTranslation(text: Translated | null | undefined, language: ContentLanguage, fallback?: ContentLanguage): string {
  return findTranslation(text, language, fallback)?.text ?? ''
}

/** Like `getTranslation`, but also returns the text's actual language, for a `lang` attribute if it differs from the page's. */
export function findTranslation(
  text: Translated | null | undefined,
  language: ContentLanguage,
  fallback?: ContentLanguage,
): { text: string; language: ContentLanguage } | undefined {
  if (!text) return undefined
  for (const candidate of [language, ...(fallback ? [fallback] : []), ...LANGUAGES, ...(Object.keys(text) as ContentLanguage[])]) {
    const found = text[candidate]
    if (found?.trim()) return { text: found, language: candidate }
  }
  return undefined
}
