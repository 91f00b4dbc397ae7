import { useTranslation } from 'react-i18next'
import { DEFAULT_LANGUAGE, type Language, matchLanguage } from '#app/lib/languages.ts'

/** The language of the current page. */
export function useLanguage(): Language {
  const { i18n } = useTranslation()
  return matchLanguage(i18n.language) ?? DEFAULT_LANGUAGE
}
