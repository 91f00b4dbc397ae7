import type { ContentLanguage } from '#app/lib/languages.ts'
import type { CodingReading, EvidenceSource } from '#app/lib/vocabulary/heard.ts'

/** Texts in a sample, unless another number is asked for. */
export const SAMPLE_SIZE = { default: 50, min: 10, max: 500 }
/** Texts that two people coded before their agreement is shown: fewer say too little. */
export const TEXTS_FOR_AGREEMENT = 50

/** How well two people agree who coded the same texts without seeing each other's codes. */
export interface Agreement {
  /** Texts that two people coded. */
  texts: number
  /** How many more it takes before anything is shown. */
  needed: number
  /** Krippendorff's alpha over all themes; null below the minimum, or if nothing varies. */
  alpha: number | null
  /** By theme, those of the project in their order that were given at least once. Empty below the minimum. */
  themes: { theme: string; both: number; one: number; alpha: number | null }[]
}

export interface SampleView {
  id: string
  language: ContentLanguage | null
  seed: string
  createdAt: string
  /** Asked for. */
  size: number
  /** Texts that are still there as they were drawn. */
  texts: number
  read: number
  drawnFrom: number
  coder: string | null
  isMine: boolean
}

/** A theme that only one of the two gave to a text. */
export interface DisagreementView {
  /** In the sample. */
  text: string
  theme: string
  reading: CodingReading
  coder: string | null
  /** In characters; none for the whole text. */
  passages: { start: number; end: number }[]
  /** What the two agreed on, if they did. */
  isAgreed: boolean | null
}

export interface DisagreedText {
  id: string
  source: EvidenceSource
  words: string
  language: ContentLanguage
  at: string
  disagreements: DisagreementView[]
}

/** Everything on the screen of two coders, of one question or activity. */
export interface DoubleCoding {
  samples: SampleView[]
  agreement: Agreement
  /** Texts of finished samples that the two sorted differently, oldest first. */
  texts: DisagreedText[]
  /** Texts that the viewer could read second. */
  drawable: number
}

/** As it is shown: two decimals. */
export const roundAlpha = (alpha: number): number => Math.round(alpha * 100) / 100
