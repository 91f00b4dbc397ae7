import type { ContentLanguage } from '#app/lib/languages.ts'
import { hasText, type Translated } from '#app/lib/translated.ts'
import type { ProfileOption } from '../profile.schema.ts'

/** How many texts of a question are missing in the site's languages. */
export function countMissingTexts(
  question: {
    labelTranslations?: Translated
    purposeTranslations?: Translated
    helpTranslations?: Translated
    options: readonly ProfileOption[]
  },
  languages: readonly ContentLanguage[],
): number {
  const { labelTranslations, purposeTranslations, helpTranslations, options } = question
  if (!labelTranslations || !purposeTranslations) return 0
  const texts = [
    labelTranslations,
    purposeTranslations,
    ...(helpTranslations && hasText(helpTranslations) ? [helpTranslations] : []),
    ...options.filter(({ retired }) => !retired).map(({ label }) => label),
  ]
  return texts.flatMap((text) => languages.filter((language) => !text[language]?.trim())).length
}
