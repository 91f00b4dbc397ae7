import type { ContentLanguage } from '#app/lib/languages.ts'
import type { ImportFormat } from '#app/lib/vocabulary/surveys.ts'
import type { QuestionType } from '../surveys.schema.ts'

/** Maximum file size in bytes. */
export const LARGEST_IMPORT = 1_900_000
/** Our own files may hold answers too: room for 20,000 of them. */
export const LARGEST_OWN_IMPORT = 40_000_000

/** What changed, or could not be carried over. */
const IMPORT_NOTES = [
  'became-text',
  'type-changed',
  'split',
  'repeated',
  'left-out',
  'hidden',
  'condition-left-out',
  'condition-later',
  'condition-outside',
  'condition-pattern',
  'condition-calculation',
  'condition-always',
  'asked-earlier',
  'setting-left-out',
  'look-left-out',
  'language-left-out',
  'piping-left-out',
  'shortened',
  'no-text',
  'answers-later',
] as const
export type ImportNoteCode = (typeof IMPORT_NOTES)[number]

interface ImportNote {
  code: ImportNoteCode
  /** What it was, quoted from the file. */
  what: string
}

/** What an entry of the report is about. Only questions are counted. */
const ELEMENT_KINDS = ['survey', 'page', 'question', 'quota'] as const
type ElementKind = (typeof ELEMENT_KINDS)[number]

export const IMPORT_OUTCOMES = ['carried', 'changed', 'left-out'] as const
type ImportOutcome = (typeof IMPORT_OUTCOMES)[number]

/** A question or another part of the file, and what became of it. */
export interface ImportedElement {
  kind: ElementKind
  /** Its name in the file. */
  at: string
  /** Its type in the file. */
  type: string
  outcome: ImportOutcome
  /** The types of the questions it became. */
  became: QuestionType[]
  notes: ImportNote[]
}

/** Kept with the survey. */
export interface StoredImportReport {
  format: ImportFormat
  filename: string
  elements: ImportedElement[]
  /** Notes beyond the most that a report keeps. */
  moreNotes: number
}

/** Result of an import. */
export interface ImportResult {
  surveyId: string
  /** Number of faults to fix before it can be published. */
  faults: number
}

/** Which of the site's languages a language of the file is imported as; '' leaves it out. By its name in the file. */
export type LanguageChoices = Readonly<Record<string, ContentLanguage | ''>>

/** The file has texts in languages that the site lacks, and it is not decided yet what to do with them. Nothing was created. */
export interface LanguagesToChoose {
  /** Names in the file. */
  languages: string[]
  /** Whether the file also has texts in a language of the site. */
  hasSiteLanguage: boolean
}

/** How many of the file's questions were carried over, changed and left out. */
export function countOutcomes(elements: readonly ImportedElement[]): Record<ImportOutcome, number> {
  const counts = { carried: 0, changed: 0, 'left-out': 0 }
  for (const { kind, outcome } of elements) if (kind === 'question') counts[outcome] += 1
  return counts
}
