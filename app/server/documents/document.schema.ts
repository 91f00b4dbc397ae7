import type { ContentLanguage, Language } from '../../lib/languages.ts'

/**
 * A document to print, file and send, whatever it is about. All texts are in its language and are shown as they are: nothing in them is markup.
 * Numbers and dates are formatted already.
 */
export interface DocumentContent {
  language: Language
  title: string
  /** Below the title: what it covers. */
  subtitle: string
  /** Facts on the cover, as `Made on: 28 November 2026`. */
  facts: readonly Term[]
  organisation: string
  /** Its logo. Without one, a speech bubble in its colour. */
  mark?: DocumentMark
  /** At the top of each page, beside the organisation; may be empty. */
  runningHead: string
  /** `#rrggbb` */
  color: string
  /** Seconds since 1970 that the file names as its date. */
  madeAt: number
  sections: readonly DocumentSection[]
  /** At the foot of each page. */
  smallPrint: string
  words: DocumentWords
  /** Sheets to fill in by hand instead of sections, each on pages of its own. Only in PDFs. */
  sheets?: DocumentSheets
}

export interface DocumentMark {
  /** With its own colours and sizes. */
  svg: string
  /** Width by height. */
  ratio: number
}

export interface DocumentSheets {
  /** One for each sheet, which is otherwise the same. */
  codes: readonly string[]
  codeLabel: string
  /** How to fill it in. */
  lines: readonly string[]
  groups: readonly {
    heading: string
    /** What applies to this group, such as the amount of a pot; may be empty. */
    note: string
    items: readonly { number: string; label: string; note: string }[]
  }[]
  /** `box`: a box to tick. `points`: a line to write a number on. */
  mark: 'box' | 'points'
  foot: string
}

export interface DocumentWords {
  contents: string
  table: string
  figure: string
  /** `Page`, `of`: `Page 3 of 12`. */
  page: string
  of: string
  /** Alternative text of the mark on the cover. */
  mark: string
}

export interface Term {
  term: string
  meaning: string
}

export interface DocumentSection {
  heading: string
  blocks: readonly DocumentBlock[]
}

export type DocumentBlock =
  | { kind: 'lead' | 'text' | 'note' | 'heading'; text: string }
  | { kind: 'terms'; terms: readonly Term[] }
  | { kind: 'list'; items: readonly string[] }
  /** Somebody's words, in the language they were written in. */
  | { kind: 'quote'; text: string; language: ContentLanguage }
  | DocumentTable
  | DocumentChart
  | DocumentPicture

export interface DocumentTable {
  kind: 'table'
  caption: string
  heads: readonly string[]
  /** As many cells as heads. */
  rows: readonly (readonly string[])[]
  /** How many columns have texts, by default 1: the first names its row. The others have numbers. */
  textColumns?: number
  /** The last row sums up the others. */
  hasTotal?: boolean
}

/** `bars` lie below each other and are labelled each, `columns` stand beside each other. */
export interface DocumentChart {
  kind: 'bars' | 'columns'
  caption: string
  /** Says what the picture shows to people who cannot see it. */
  alternative: string
  values: readonly {
    label: string
    value: number
    /** The value as it is shown. */
    text: string
    /** Beside a bar. */
    note?: string
  }[]
}

/** A drawing, such as a map. */
export interface DocumentPicture {
  kind: 'picture'
  caption: string
  /** Says what it shows to people who cannot see it. */
  alternative: string
  /** With its own colours and sizes. */
  svg: string
}

export type DocumentFormat = 'pdf' | 'docx'
export const DOCUMENT_TYPES: Record<DocumentFormat, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}
