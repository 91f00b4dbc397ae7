import { type ContentLanguage, type Language, toInterfaceLanguage } from './languages.ts'
import type { RichBlock } from './rich-text.ts'
import { findTranslation, type Translated } from './translated.ts'

/** A text to show on a page. `lang` is set only if the text is not in the page's language. */
export interface LocalisedText {
  text: string
  lang?: ContentLanguage
}

/** The same for light markup, parsed. */
export interface LocalisedRichText {
  blocks: RichBlock[]
  lang?: ContentLanguage
}

/**
 * The text in the reader's language, else in the site's own, else in any; empty if there is none. The page is in the language of the
 * interface, so a text in a language that the site added is always marked.
 */
export function localiseText(translated: Translated | null | undefined, language: ContentLanguage, fallback: Language): LocalisedText {
  const found = findTranslation(translated, language, fallback)
  if (!found) return { text: '' }
  return found.language === toInterfaceLanguage(language, fallback) ? { text: found.text } : { text: found.text, lang: found.language }
}
