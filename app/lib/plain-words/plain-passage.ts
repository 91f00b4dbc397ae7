import type { ContentLanguage } from '../languages.ts'
import type { Translated } from '../translated.ts'

export const PLAIN_CODES = ['long-sentence', 'jargon', 'leading', 'double', 'missing-none', 'unbalanced'] as const
export type PlainCode = (typeof PLAIN_CODES)[number]

/** A text in one language, as it is written in a field. */
export interface PlainPassage {
  /** The field’s name, to lead there. */
  field: string
  /** Light markup is read as what it shows. */
  text: string
  /** A question is also checked for how it asks. */
  isQuestion?: boolean
  choices?: PlainChoices
}

/** What people choose from. */
export interface PlainChoices {
  field: string
  labels: readonly string[]
  /** The options are steps from one end to the other. */
  isScale?: boolean
  /** Nobody needs “None of these”, for instance because people can write an answer of their own. */
  hasOther?: boolean
}

export interface PlainFinding {
  code: PlainCode
  field: string
  /** The sentence, the listed word or the options. */
  quote: string
  /** Words of a long sentence; options on the positive side of an unbalanced scale. */
  count?: number
  /** Options on its negative side. */
  against?: number
}

/** Texts that ask nothing, by the names of their fields. */
export const listFieldPassages = (texts: Readonly<Record<string, Translated>>, language: ContentLanguage): PlainPassage[] =>
  Object.entries(texts).map(([field, text]) => ({ field, text: text[language] ?? '' }))
