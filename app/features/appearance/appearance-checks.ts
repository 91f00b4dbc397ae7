import type { Language } from '#app/lib/languages.ts'
import type { Appearance } from './appearance.schema.ts'

/** A text of the look that one of the site's languages lacks. */
export interface MissingLookText {
  /** What it is waived by. */
  name: string
  /** In the content: `/tokens/footer/cy`. */
  pointer: string
  language: Language
  /** Which link of the navigation it is on, counted from one; 0 for the footer. */
  link: number
}

/** Words of navigation and footer that are there in one language of the site and not in another. */
export function findMissingLookTexts(
  { navigation, footer }: Pick<Appearance, 'navigation' | 'footer'>,
  languages: readonly Language[],
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
