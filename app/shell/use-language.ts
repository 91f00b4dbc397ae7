import { useTranslation } from 'react-i18next'
import { DEFAULT_LANGUAGE, type Language, matchLanguage } from '#app/lib/languages.ts'

export function useLanguage(): Language {
  const { i18n } = useTranslation()
  return matchLanguage(i18n.language) ?? DEFAULT_LANGUAGE
}
