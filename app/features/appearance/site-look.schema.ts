import type { ContentLanguage, Language } from '#app/lib/languages.ts'
import { type LocalisedText, localiseText } from '#app/lib/localised-text.ts'
import { type Appearance, readAppearance } from './appearance.schema.ts'

/** What a page needs of the site's look besides colours and fonts: logo, header style, navigation and footer. */
export interface SiteLook extends Pick<Appearance, 'mark' | 'header'> {
  /** If empty, the default links. */
  navigation: { id: string; label: LocalisedText; href: string }[]
  footer: LocalisedText
}

/** Published or draft tokens, localised for the page. */
export function toSiteLook(tokens: unknown, language: ContentLanguage, locale: Language): SiteLook {
  const { mark, header, navigation, footer } = readAppearance(tokens)
  return {
    mark,
    header,
    navigation: navigation.map(({ id, label, href }) => ({ id, href, label: localiseText(label, language, locale) })),
    footer: localiseText(footer, language, locale),
  }
}
