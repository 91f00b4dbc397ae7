import { parse } from 'csv-parse/sync'
import { AppError } from '#app/lib/app-error.ts'
import { normaliseText } from '#app/lib/normalise-text.ts'
import { MAX_POPULATION_ROWS, type PopulationPreview, type PopulationRow } from './reference-populations.schema.ts'
import { findCellFaults, type ReferencePopulation } from './reference-populations.server.ts'

/** The headings that a column is found by, in every language of the product. */
const HEADINGS = {
  dimension: ['dimension', 'question', 'dimensiwn', 'cwestiwn'],
  category: ['category', 'categorie', 'categori'],
  people: ['count', 'people', 'population', 'observation', 'nombre', 'effectif', 'personnes', 'nifer', 'pobl', 'poblogaeth'],
  area: ['area', 'secteur', 'zone', 'ardal'],
} as const
type Column = keyof typeof HEADINGS

const createRefusal = (code: 'unreadable-file' | 'column-missing' | 'too-many', pointer: string, values = {}) =>
  new AppError('invalid', { faults: [{ code, pointer, values }] })

/**
 * Reads a census table from text. Rows are checked one by one, and each says what is wrong with it; nothing is stored.
 * @throws {AppError} `invalid` with `unreadable-file`, `column-missing` or `too-many`
 */
export function readPopulationTable(population: ReferencePopulation, text: string): PopulationPreview {
  const [head = [], ...lines] = parseText(text)
  const places = findColumns(head)
  for (const column of ['category', 'people'] as const) if (!places.has(column)) throw createRefusal('column-missing', `/${column}`)
  if (lines.length > MAX_POPULATION_ROWS) throw createRefusal('too-many', '/text', { max: MAX_POPULATION_ROWS })
  const cellOf = (line: readonly string[], column: Column) => (line[places.get(column) ?? -1] ?? '').trim()
  const words = [population.question.key, ...Object.values(population.question.label)].map(normaliseText)
  const own = lines
    .map((line, at) => ({ line, number: at + 2 }))
    .filter(({ line }) => !cellOf(line, 'dimension') || words.includes(normaliseText(cellOf(line, 'dimension'))))
  const rows = own.map(({ line, number }) =>
    readRow(population, {
      number,
      category: cellOf(line, 'category'),
      people: cellOf(line, 'people'),
      area: cellOf(line, 'area'),
    }),
  )
  return { rows: markTwice(population, rows), others: lines.length - own.length }
}

/** The separator is the one that the headings have most of: the names of categories have commas too. */
function parseText(text: string): string[][] {
  if (/[\0\uFFFD]/.test(text)) throw createRefusal('unreadable-file', '/text')
  const [first = ''] = text.split('\n', 1)
  const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ','
  try {
    return parse(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true, skip_records_with_empty_values: true })
  } catch {
    throw createRefusal('unreadable-file', '/text')
  }
}

function findColumns(head: readonly string[]): Map<Column, number> {
  const places = new Map<Column, number>()
  for (const [at, heading] of head.entries()) {
    const found = (Object.keys(HEADINGS) as Column[]).find((name) => HEADINGS[name].some((word) => word === normaliseText(heading.trim())))
    if (found && !places.has(found)) places.set(found, at)
  }
  return places
}

interface Typed {
  number: number
  category: string
  people: string
  area: string
}

function readRow({ options, areas }: ReferencePopulation, { number, category, people: typed, area }: Typed): PopulationRow {
  const wanted = normaliseText(category)
  const option = options.find(({ id, label }) => [id, ...Object.values(label)].some((word) => normaliseText(word) === wanted))?.id ?? null
  const place = area ? areas.find(({ slug, name }) => [slug, name].some((word) => normaliseText(word) === normaliseText(area))) : undefined
  const people = readPeople(typed)
  const fault = !category
    ? 'required'
    : people === null
      ? 'not-a-number'
      : people < 0
        ? 'out-of-range'
        : area && !place
          ? 'area-unknown'
          : option === null
            ? 'not-a-choice'
            : null
  return { line: number, category, option, area: place?.slug ?? null, people, fault }
}

/** Groups of thousands may be apart by spaces or commas. */
function readPeople(typed: string): number | null {
  const digits = typed.replaceAll(/[\s\u00A0\u202F]/g, '').replaceAll(/,(?=\d{3}(\D|$))/g, '')
  return /^-?\d{1,10}$/.test(digits) ? Number(digits) : null
}

/** The second row of a category is wrong, whatever it says. */
function markTwice(population: ReferencePopulation, rows: readonly PopulationRow[]): PopulationRow[] {
  const cells = rows.map(({ category, area }) => ({ category, area, option: '', people: 0 }))
  const twice = new Set(
    findCellFaults(population, cells).flatMap(({ code, pointer }) => (code === 'row-twice' ? [Number(pointer?.split('/')[2])] : [])),
  )
  return rows.map((row, at) => (twice.has(at) ? { ...row, fault: 'row-twice' as const } : row))
}
