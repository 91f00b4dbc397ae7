import { type ContentLanguage, isInterfaceLanguage, LANGUAGE_NAMES, type Language } from './languages.ts'

/** Names that `Intl` does not know in the language itself. */
const OWN_NAMES: Partial<Record<ContentLanguage, string>> = {
  cr: 'ᓀᐦᐃᔭᐍᐏᐣ',
  ht: 'Kreyòl ayisyen',
  iu: 'ᐃᓄᒃᑎᑐᑦ',
  mic: 'Mi’kmaw',
  ms: 'Bahasa Melayu',
  oj: 'Anishinaabemowin',
  tw: 'Twi',
}

/** The name that its speakers give a language, as it begins a line. */
export function getLanguageName(language: ContentLanguage): string {
  if (isInterfaceLanguage(language)) return LANGUAGE_NAMES[language]
  const name = OWN_NAMES[language] ?? new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  // Georgian has capitals only for whole words.
  return language === 'ka' ? name : name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** The name that a language has in the language of the interface. */
export const getTranslatedLanguageName = (language: ContentLanguage, shown: Language): string =>
  new Intl.DisplayNames([shown], { type: 'language' }).of(language) ?? language
