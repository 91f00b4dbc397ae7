import type { CountedValue } from './figures.ts'
import { findSuppressedCells, SUPPRESSION_THRESHOLD, type SuppressibleCount, type TableCell } from '#app/lib/suppressed-cells.ts'
import { roundToFive } from './publishable-figures.ts'

/** One question's values against another's: how many people gave each pair of answers, among those who answered both questions. */
export interface CrossTable {
  /** Answered both questions. */
  people: SuppressibleCount
  rows: {
    value: string
    /** Gave this answer and answered the other question. */
    people: SuppressibleCount
    cells: CountedValue[]
  }[]
  /** The same for the columns. */
  columns: CountedValue[]
}

/** How many people gave a pair of answers, one per question; an empty value means any answer. */
export interface AnswerPair {
  row: string
  column: string
  count: number
}

/** A table of all values in the figures, including those nobody chose. Numbers fall into the same ranges as in the figures. */
export function buildCrossTable(pairs: readonly AnswerPair[], values: { rows: readonly string[]; columns: readonly string[] }): CrossTable {
  const sums = new Map<string, number>()
  for (const { row, column, count } of pairs) {
    const key = `${toTableValue(values.rows, row)}\n${toTableValue(values.columns, column)}`
    sums.set(key, (sums.get(key) ?? 0) + count)
  }
  const countOf = (row: string, column: string) => sums.get(`${row}\n${column}`) ?? 0
  return {
    people: countOf('', ''),
    rows: values.rows.map((value) => ({
      value,
      people: countOf(value, ''),
      cells: values.columns.map((column) => ({ value: column, count: countOf(value, column) })),
    })),
    columns: values.columns.map((value) => ({ value, count: countOf('', value) })),
  }
}

const RANGE_PATTERN = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/

function toTableValue(values: readonly string[], value: string): string {
  if (value === '' || values.includes(value)) return value
  const isIn = (range: string) => {
    const [, from, to] = RANGE_PATTERN.exec(range) ?? []
    return from !== undefined && to !== undefined && Number(value) >= Number(from) && Number(value) < Number(to)
  }
  return values.find(isIn) ?? value
}

/**
 * The same table with small numbers suppressed, rounded to fives. Row and column totals are part of the table and also known from the
 * figures, so any number that could be derived from them is suppressed too.
 */
export function toPublishableCrossTable(table: CrossTable): CrossTable {
  const withMargins = [{ value: '', people: table.people, cells: table.columns }, ...table.rows].map(({ value: row, people, cells }) =>
    [{ value: '', count: people }, ...cells].map(({ value: column, count }): TableCell => ({
      count: count ?? 0,
      sums: [`row ${row}`, `column ${column}`],
    })),
  )
  const hidden = findSuppressedCells(withMargins.flat())
  const toPublishableCount = (row: number, column: number): SuppressibleCount => {
    const cell = withMargins[row]?.[column]
    return !cell || hidden.has(cell) || table.people === null || table.people < SUPPRESSION_THRESHOLD ? null : roundToFive(cell.count)
  }
  return {
    people: toPublishableCount(0, 0),
    rows: table.rows.map((row, at) => ({
      ...row,
      people: toPublishableCount(at + 1, 0),
      cells: row.cells.map((cell, index) => ({ ...cell, count: toPublishableCount(at + 1, index + 1) })),
    })),
    columns: table.columns.map((cell, index) => ({ ...cell, count: toPublishableCount(0, index + 1) })),
  }
}
