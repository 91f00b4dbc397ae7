import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Appearance } from './appearance.schema.ts'

/** A text of the look that is missing in one of the site's languages. */
export interface MissingLookText {
  /** Key used to waive it. */
  name: string
  /** JSON pointer into the content: `/tokens/footer/cy`. */
  pointer: string
  language: ContentLanguage
  /** Number of the navigation link, from 1; 0 for the footer. */
  link: number
}

/** Navigation and footer texts that exist in one of the site's languages but not in another. */
export function findMissingLookTexts(
  { navigation, footer }: Pick<Appearance, 'navigation' | 'footer'>,
  languages: readonly ContentLanguage[],
): MissingLookText[] {
  const texts = [
    ...navigation.map(({ id, label }, at) => ({
      name: `navigation.${id}`,
      text: label,
      pointer: `/tokens/navigation/${at}/label`,
      link: at + 1,
    })),
    { name: 'footer', text: footer, pointer: '/tokens/footer', link: 0 },
  ]
  return texts.flatMap(({ name, text, pointer, link }) =>
    Object.values(text).some((one) => one.trim())
      ? languages
          .filter((language) => !text[language]?.trim())
          .map((language) => ({ name: `${name}.${language}`, pointer: `${pointer}/${language}`, language, link }))
      : [],
  )
}
