import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'

/** How many other contributions one answer can be given to. */
export const MAX_ANSWERED_TOO = 50

export const ANSWER_FIELDS = ['text', 'team', 'withdrawalReason'] as const
export type AnswerField = (typeof ANSWER_FIELDS)[number]
export type AnswerTexts = Partial<Record<AnswerField, Translated>>

export interface MissingAnswerText {
  /** The name to waive it by: `text.cy`. */
  name: string
  field: AnswerField
  language: ContentLanguage
}

/** Each text that is written in one of the site's languages, but not in another. */
export const findMissingAnswerTexts = (texts: AnswerTexts, languages: readonly ContentLanguage[]): MissingAnswerText[] =>
  ANSWER_FIELDS.flatMap((field) => {
    const isWritten = (language: ContentLanguage) => Boolean(texts[field]?.[language]?.trim())
    if (!languages.some(isWritten)) return []
    return languages.filter((language) => !isWritten(language)).map((language) => ({ name: `${field}.${language}`, field, language }))
  })
