import * as v from 'valibot'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import type { ProfileQuestionType } from '#app/lib/vocabulary/profile.ts'

export const MAX_POPULATION_ROWS = 5000

/** A row of a census table: how many people of a category live in an area, or, without one, in the whole place. */
export interface PopulationCell {
  /** As the source names it. Several categories may count for one option. */
  category: string
  /** An option of the question, an age group, or the slug of an area. */
  option: string
  area: string | null
  people: number
}

/** Questions with one answer, so that shares add up to everybody. */
const COMPARABLE_TYPES: readonly ProfileQuestionType[] = ['one-choice', 'year-of-birth', 'area']
export const isComparable = (type: ProfileQuestionType): boolean => COMPARABLE_TYPES.includes(type)

export const populationTextSchema = v.strictObject({
  /** A reference population's id. */
  population: v.pipe(v.string(), v.uuid()),
  /** The table as text, its columns separated by commas, semicolons or tabs. */
  text: v.pipe(v.string(), v.maxLength(2_000_000)),
})

/** A row of a table before it is stored. */
export interface PopulationRow {
  /** Of the file, counted from 1. */
  line: number
  category: string
  /** Null if no option has that name: it is chosen by hand. */
  option: string | null
  area: string | null
  people: number | null
  fault: ErrorCode | null
}

export interface PopulationPreview {
  rows: PopulationRow[]
  /** Rows of other questions. */
  others: number
}
