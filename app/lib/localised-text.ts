import type { Language } from './languages.ts'
import type { RichBlock } from './rich-text.ts'
import { findTranslation, type Translated } from './translated.ts'

/** A text to show on a page. `lang` is set only if the text is not in the page's language. */
export interface LocalisedText {
  text: string
  lang?: Language
}

/** The same for light markup, parsed. */
export interface LocalisedRichText {
  blocks: RichBlock[]
  lang?: Language
}

/** The text in the page's language, else in the site's own, else in any; empty if there is none. */
export function localiseText(translated: Translated | null | undefined, language: Language, fallback: Language): LocalisedText {
  const found = findTranslation(translated, language, fallback)
  if (!found) return { text: '' }
  return found.language === language ? { text: found.text } : { text: found.text, lang: found.language }
}
