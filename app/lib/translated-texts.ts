import type { ContentLanguage } from './languages.ts'
import type { Translated } from './translated.ts'

/** One text of something that can be published, in all its languages. Each kind of content declares the list of its own. */
export interface TranslatedText {
  /** Where it is in what it belongs to: `/faqs/0/answer`. */
  pointer: string
  text: Translated | null | undefined
  /** Every language of the site needs it, even if nobody has written it yet. Other texts are only missing if another language has them. */
  isNeeded?: boolean
  /** It describes a picture. */
  isAlternative?: boolean
  /** How it is written: one line if absent. */
  format?: 'text' | 'rich'
  /** Longest text, in characters. */
  max?: number
  /** The name to waive it by without its language, if it is not made from the pointer. */
  name?: string
}

export type TextGapCode = 'translation-missing' | 'alternative-missing' | 'translation-stale'

/** A text that one language of the site lacks, or whose translation says what the source said before. */
export interface TextGap {
  code: TextGapCode
  /** The name to waive it by: `faqs.0.answer.cy`. */
  name: string
  /** Like the text's, with the language: `/faqs/0/answer/cy`. */
  pointer: string
  language: ContentLanguage
  /** What the other languages say. */
  text: Translated
}

export const TEXT_GAP_CODES: ReadonlySet<string> = new Set<TextGapCode>(['translation-missing', 'alternative-missing', 'translation-stale'])

/** The name by which a text is waived: `/faqs/0/answer/cy` is `faqs.0.answer.cy`. */
export const toTextName = (pointer: string): string => pointer.slice(1).replaceAll('Translations', '').replaceAll('/', '.')

const isWritten = (text: TranslatedText['text'], language: ContentLanguage): boolean => Boolean(text?.[language]?.trim())

/**
 * The one rule for missing languages: what is needed, and what any language has, is missing in each language of the site that lacks it.
 * A text that no language has is unused.
 */
export function findTextGaps(
  texts: readonly TranslatedText[],
  languages: readonly ContentLanguage[],
  /** Whether the translation was left behind when the source changed. */
  isStale: (text: Translated, language: ContentLanguage) => boolean = () => false,
): TextGap[] {
  return texts.flatMap(({ pointer, text, isNeeded = false, isAlternative = false, name = toTextName(pointer) }) => {
    const isUsed = isNeeded || languages.some((language) => isWritten(text, language))
    if (!isUsed) return []
    const missing = isAlternative ? 'alternative-missing' : 'translation-missing'
    return languages.flatMap((language): TextGap[] => {
      const code = !isWritten(text, language) ? missing : text && isStale(text, language) ? 'translation-stale' : undefined
      return code ? [{ code, language, text: text ?? {}, name: `${name}.${language}`, pointer: `${pointer}/${language}` }] : []
    })
  })
}

/** A translation that still says what its source said before. */
interface StaleTranslation {
  language: ContentLanguage
  source: string
  translation: string
  formerSource: string
}

/**
 * Translations that stayed as they were while the text that they translate changed. Texts are found again by their translation, not by their
 * place, so that moving a question or a block leaves nothing stale.
 */
export function findLeftBehind(
  before: readonly TranslatedText[],
  after: readonly TranslatedText[],
  source: ContentLanguage,
): StaleTranslation[] {
  return after.flatMap(({ text }) => {
    const now = text?.[source]
    if (!text || !now?.trim()) return []
    return (Object.entries(text) as [ContentLanguage, string][]).flatMap(([language, translation]) => {
      if (language === source || !translation.trim()) return []
      const earlier = before.filter((one) => one.text?.[language] === translation).map((one) => one.text?.[source] ?? '')
      const [formerSource] = earlier
      if (!formerSource?.trim() || earlier.includes(now)) return []
      return [{ language, source: now, translation, formerSource }]
    })
  })
}
