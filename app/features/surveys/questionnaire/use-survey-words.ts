import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Formatter } from '#app/lib/format.ts'
import { DEFAULT_LANGUAGE, type Language, matchLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { type LocalisedText, localiseText } from '#app/lib/localised-text.ts'
import { useFormat } from '#app/shell/use-format.ts'

export interface SurveyWords {
  t: TFunction<'survey'>
  language: Language
  format: Formatter
  /** A text of a definition in the page's language, or in the one it has. */
  say: (text: Translated | undefined) => LocalisedText
}

/** How a page speaks about surveys: its texts, language and formats. */
export function useSurveyWords(): SurveyWords {
  const { t, i18n } = useTranslation('survey')
  const format = useFormat()
  const language = matchLanguage(i18n.language) ?? DEFAULT_LANGUAGE
  return { t, language, format, say: (text) => localiseText(text, language, language) }
}
