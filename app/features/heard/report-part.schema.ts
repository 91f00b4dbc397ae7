import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { QuoteView } from './heard.schema.ts'

/**
 * What a block of a report shows besides the words of its author, in one language. It is counted once, when the report is published; only quotes
 * and what was withdrawn since are read with the page.
 */
export interface ReportPart {
  /** For a block without a heading of its own. */
  heading: LocalisedText
  content: PartContent[]
  /** What its numbers rest on, to tell what was withdrawn since. */
  basis: { kind: 'survey' | 'theme'; id: string } | null
  quotes: QuoteView[]
  /** Answers, or people, that were withdrawn since. */
  gone: number
}

export type PartContent = { kind: 'text'; text: string } | PartBars | PartTable

/** Bars with the numbers beside them. */
export interface PartBars {
  kind: 'bars'
  caption: LocalisedText
  note: string
  heads: { label: string; bar: string; count: string }
  bars: {
    label: string
    /** From 0 to 1; null if it is hidden. */
    part: number | null
    /** The part in words. */
    words: string
    /** The count in words. */
    counted: string
  }[]
}

export interface PartTable {
  kind: 'table'
  caption: LocalisedText
  note?: string
  heads: string[]
  /** The first cell names its row. */
  rows: LocalisedText[][]
  /** How many columns have texts; the others have numbers. */
  textColumns: number
}

/** What can be put into the report of a project, as its editor lists it. */
export interface ReportChoices {
  /** A second person agrees to each report before it is published. */
  needsAgreement: boolean
  /** Of surveys: `<survey>:<question>`. */
  questions: { key: string; title: string; within: string; /** Others can be compared by it. */ isGroup: boolean }[]
  themes: { id: string; title: string; quotes: { id: string; text: string }[] }[]
}
