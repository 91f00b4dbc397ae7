import { useTranslation } from 'react-i18next'
import { type Formatter, getFormatter } from '#app/lib/format.ts'
import { DEFAULT_LANGUAGE, matchLanguage } from '#app/lib/languages.ts'
import { useSite } from './page-state.tsx'

/** Formats dates and numbers in the page's language and the site's time zone. */
export function useFormat(): Formatter {
  const { i18n } = useTranslation()
  const { timeZone, region } = useSite()
  return getFormatter({ language: matchLanguage(i18n.language) ?? DEFAULT_LANGUAGE, timeZone, region })
}
