import type { LanguageChoices } from '#app/features/surveys/import/import.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Answers, Question, QuestionType } from '#app/features/surveys/surveys.schema.ts'

/** A rule of a source file by which something is shown. */
export interface SourceCondition {
  text: string
  of: 'page' | 'question' | 'item'
  /** Where the report speaks of it. */
  at: string
  /** Of an option or a row. */
  code?: string
  /** The part of the file in which names are relative: a question of several parts, or a panel that repeats. */
  within?: string
  /** The table to whose rows `row` belongs. */
  row?: string
  /** Whether the file says it in other words. */
  isReworded?: boolean
}

/** A part of a file that people answer as often as they need. */
export interface SourceRepeat {
  name: string
  /** Stands in the place of the words that ask for one more. */
  mark: string
  /** So often it must be answered. */
  least: number
  /** So often it is there at the start. */
  start: number
  /** Infinite if the file sets no limit. */
  most: number
}

/** An option, a row or a column. */
export interface SourceItem {
  /** Stands in the place of its label, so that what became of it can be found. */
  mark: string
  code: string
  conditions: readonly SourceCondition[]
  languages: readonly Language[]
}

export interface SourceQuestion {
  mark: string
  name: string
  type: string
  /** Types of ours that ask the same. */
  fits: readonly QuestionType[]
  /** Whether participants see it. */
  isAsked: boolean
  /** Whether the file says what it asks, and not a program around it. */
  isInFile: boolean
  /** What repeats around it, outermost first, and itself if it does. */
  repeats?: readonly SourceRepeat[]
  /** Whether its parts are answered once for each of its rows. */
  isByRow?: boolean
  /** Lists of what it offers, each in order, if it is not shown in another. */
  lists: readonly (readonly SourceItem[])[]
  isReordered?: boolean
  /** Whether its lists are rows and columns of single fields. */
  isCrossed?: boolean
  /** The rules of all that is around it, outermost first, and its own. */
  conditions: readonly SourceCondition[]
  languages: readonly Language[]
}

/** Where a mark is in the imported survey. */
export interface Place {
  question: Question
  option?: string
  row?: string
  column?: string
}

/** What a participant has answered so far, as our survey keeps it. */
export interface Filled {
  answers: Answers
  find: (mark: string) => readonly Place[]
  /** Whether the source shows it, by its own rules. */
  isShown: (question: SourceQuestion, item?: SourceItem) => boolean
  /** Which copy of what repeats, or which row, from 0. */
  copy: number
}

/** A file of another tool, read without the importer. */
export interface SourceSurvey {
  /** The file with marks in the place of its texts. */
  marked: Uint8Array
  /** Its languages as the site's. */
  choices: LanguageChoices
  questions: readonly SourceQuestion[]
  /** @throws {UnjudgedError} */
  listNeeded: (condition: SourceCondition) => readonly SourceQuestion[]
  /** Values that the condition compares with. */
  listLiterals: (condition: SourceCondition) => readonly string[]
  /** @throws {UnjudgedError} */
  holds: (condition: SourceCondition, filled: Filled) => boolean
}

/** The condition cannot be evaluated. */
export class UnjudgedError extends Error {
  /** Whether it needs something that the file does not hold. */
  readonly isOutside: boolean

  constructor(message: string, isOutside = false) {
    super(message)
    this.isOutside = isOutside
  }
}

export const TODAY = '2026-11-26'
/** The languages of the site that a file is imported to; the first three of the file take their places. */
export const SITE_LANGUAGES: readonly Language[] = ['en', 'fr-CA', 'cy']

/** @param names the file's languages, its own first */
export function placeLanguages(names: readonly string[]): Map<string, Language> {
  return new Map(
    names.slice(0, SITE_LANGUAGES.length).flatMap((name, index) => (SITE_LANGUAGES[index] ? [[name, SITE_LANGUAGES[index]]] : [])),
  )
}
