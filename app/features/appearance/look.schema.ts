import type { Language } from '#app/lib/languages.ts'
import { type Words, wordsIn } from '#app/lib/words.ts'
import { type Appearance, readAppearance } from './appearance.schema.ts'

/** What of a site's appearance is no colour or letter: its marks, and what stands in header and footer. */
export interface SiteLook extends Pick<Appearance, 'mark' | 'header'> {
  /** Empty: the standard links. */
  navigation: { id: string; label: Words; href: string }[]
  footer: Words
}

/** The look in stored or drafted tokens, in the page's language. */
export function siteLook(tokens: unknown, language: Language, locale: Language): SiteLook {
  const { mark, header, navigation, footer } = readAppearance(tokens)
  return {
    mark,
    header,
    navigation: navigation.map(({ id, label, href }) => ({ id, href, label: wordsIn(label, language, locale) })),
    footer: wordsIn(footer, language, locale),
  }
}
