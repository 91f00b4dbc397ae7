import type { Language } from '#app/lib/languages.ts'
import { type LocalisedText, localiseText } from '#app/lib/localised-text.ts'
import { type Appearance, readAppearance } from './appearance.schema.ts'

/** What of a site's appearance is no colour or letter: its marks, and what stands in header and footer. */
export interface SiteLook extends Pick<Appearance, 'mark' | 'header'> {
  /** Empty: the standard links. */
  navigation: { id: string; label: LocalisedText; href: string }[]
  footer: LocalisedText
}

/** The look in stored or drafted tokens, in the page's language. */
export function toSiteLook(tokens: unknown, language: Language, locale: Language): SiteLook {
  const { mark, header, navigation, footer } = readAppearance(tokens)
  return {
    mark,
    header,
    navigation: navigation.map(({ id, label, href }) => ({ id, href, label: localiseText(label, language, locale) })),
    footer: localiseText(footer, language, locale),
  }
}
