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
  /** A text from the definition in the page's language, or in one that exists. */
  say: (text: Translated | undefined) => LocalisedText
}

/** Texts, language and formats for survey pages. */
export function useSurveyWords(): SurveyWords {
  const { t, i18n } = useTranslation('survey')
  const format = useFormat()
  const language = matchLanguage(i18n.language) ?? DEFAULT_LANGUAGE
  return { t, language, format, say: (text) => localiseText(text, language, language) }
}
