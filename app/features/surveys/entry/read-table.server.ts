import { parseAbsolute, parseDateTime, toZoned } from '@internationalized/date'
import { parse } from 'csv-parse/sync'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import { listAnswerFiles } from '../questionnaire/question-types/files/files.ts'
import { checkAnswers, tidyAnswers } from '../questionnaire/answers.ts'
import { listAskedQuestions, walkSurvey } from '../questionnaire/walk-survey.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import { parseRowAnswers, type CsvTarget, listCsvTargets, guessTargetKey } from './csv-targets.ts'
import { MAX_ROWS, type ResponseTableReport, type RowFault } from './entry.schema.ts'

const MAX_FAULTS = 200
const MAX_SAMPLES = 3
const MAX_COLUMNS = 2000
/** In characters, as in spreadsheets. */
const MAX_CELL_LENGTH = 32_767

/** Everything needed to read a table: it runs in a process that has nothing else. */
export interface TableToRead {
  text: string
  /** The target of each column, once the sender has chosen them. */
  columns: readonly string[] | undefined
  definition: Definition
  /** The reader's. */
  language: Language
  /** The site's default, and all it supports. */
  locale: Language
  languages: readonly Language[]
  /** The site's: a moment without an offset is on its clocks. */
  timeZone: string
  now: Date
}

interface ReadRow {
  id: string
  language: Language
  submittedAt: Date
  answers: Answers
}

export interface ReadTable {
  report: ResponseTableReport
  /** Empty unless every row can be imported. */
  rows: ReadRow[]
}

/**
 * Parses a table of responses into rows to store, or reports why it cannot.
 * @throws {AppError} `invalid` with `unreadable-file`, `too-many` or `file-too-complex` at `/file`
 */
export function readResponses(given: TableToRead): ReadTable {
  const [{ cells: head }, ...lines] = parseTable(given.text)
  const targets = listCsvTargets(given.definition, given.language, given.locale)
  const columns = head.map((heading, index) => ({
    heading,
    samples: listSamples(
      lines.map(({ cells }) => cells),
      index,
    ),
    target: given.columns?.[index] ?? guessTargetKey(heading, targets),
  }))
  const report: ResponseTableReport = { rows: lines.length, columns, faults: [], stored: 0 }
  if (!given.columns) return { report, rows: [] }
  const byKey = new Map(targets.map((target) => [target.key, target]))
  const rows: ReadRow[] = []
  for (const { cells, number } of lines) {
    const { row, faults } = readRow(given, { targets: byKey, columns, cells, number })
    rows.push(row)
    report.faults.push(...faults)
    if (report.faults.length >= MAX_FAULTS) break
  }
  report.faults = report.faults.slice(0, MAX_FAULTS)
  return { report, rows: report.faults.length > 0 ? [] : rows }
}

function listSamples(lines: readonly (readonly string[])[], index: number): string[] {
  const samples: string[] = []
  for (const line of lines) {
    const text = line[index] ?? ''
    if (text.trim()) samples.push(text)
    if (samples.length === MAX_SAMPLES) break
  }
  return samples
}

/** Empty lines count here, so that a file of nothing else is not parsed to its end. */
const MAX_LINES = 2 * MAX_ROWS

interface TableRow {
  cells: string[]
  /** As a spreadsheet numbers it: the heading is row 1, and empty rows count. */
  number: number
}

function parseTable(text: string): [heading: TableRow, ...rows: TableRow[]] {
  const createRefusal = (code: 'unreadable-file' | 'too-many' | 'file-too-complex', values = {}) =>
    new AppError('invalid', { faults: [{ code, pointer: '/file', values }] })
  if (/[\0\uFFFD]/.test(text)) throw createRefusal('unreadable-file')
  const [first = ''] = text.split('\n', 1)
  const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ','
  try {
    const parsed: string[][] = parse(text, { bom: true, delimiter, relax_column_count_less: true, to: MAX_LINES })
    const isEmpty = (cells: readonly string[]) => cells.length <= 1 && (cells[0] ?? '') === ''
    const [heading, ...rows] = parsed.map((cells, index) => ({ cells, number: index + 1 })).filter(({ cells }) => !isEmpty(cells))
    if (rows.length > MAX_ROWS || parsed.length === MAX_LINES) throw createRefusal('too-many', { max: MAX_ROWS })
    if (!heading || rows.length === 0 || heading.cells.every((cell) => !cell.trim())) throw createRefusal('unreadable-file')
    const isLarge = ({ cells }: TableRow) => cells.length > MAX_COLUMNS || cells.some((cell) => cell.length > MAX_CELL_LENGTH)
    if (isLarge(heading) || rows.some(isLarge)) throw createRefusal('file-too-complex')
    return [heading, ...rows]
  } catch (error) {
    throw isAppError(error) ? error : createRefusal('unreadable-file')
  }
}

interface RowToRead {
  targets: ReadonlyMap<string, CsvTarget>
  columns: ResponseTableReport['columns']
  cells: readonly string[]
  /** Spreadsheet row number. */
  number: number
}

function readRow(
  { definition, locale, languages, timeZone, now }: TableToRead,
  { targets, columns, cells, number: row }: RowToRead,
): { row: ReadRow; faults: RowFault[] } {
  const cellOf = (key: string) => cells[columns.findIndex(({ target }) => target === key)]?.trim() ?? ''
  const headingOf = (question: string) => columns.find(({ target }) => targets.get(target)?.question === question)?.heading ?? question
  const findHeading = (key: string) => columns.find(({ target }) => target === key)?.heading ?? key
  const faults: RowFault[] = []
  const [language, when] = [cellOf('language') || locale, cellOf('submitted_at')]
  const spoken = languages.find((code) => code === language)
  if (!spoken) faults.push({ row, column: findHeading('language'), code: 'not-a-choice' })
  const submittedAt = when ? parseMoment(when, timeZone) : now
  if (!submittedAt || submittedAt > now) faults.push({ row, column: findHeading('submitted_at'), code: 'not-a-date' })
  const id = createId()
  const named = columns.flatMap(({ target: key }, index) => {
    const target = targets.get(key)
    return target ? [{ target, text: unescapeFormula(cells[index] ?? '') }] : []
  })
  const given = acceptAnswers(definition, parseRowAnswers(definition, named), id)
  for (const { code, pointer, values } of given.faults) {
    const question = pointer?.split('/')[1] ?? ''
    faults.push({ row, column: headingOf(question), code, ...(values && { values }) })
  }
  if (given.faults.length === 0 && Object.keys(given.answers).length === 0) faults.push({ row, column: '', code: 'required' })
  return { row: { id, language: spoken ?? locale, submittedAt: submittedAt ?? now, answers: given.answers }, faults }
}

/** Such as `2026-03-01`, `2026-03-01 17:30`, `2026-03-01T17:30:00` and `2026-03-01T17:30:00Z`; the seconds and their fraction may be missing. */
const ISO_MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * Reads ISO 8601 only: in 03/04/2026 nobody but the sender knows which is the month. Without an offset it is on the site's clocks.
 * @returns undefined if it is anything else, or does not exist
 */
function parseMoment(text: string, timeZone: string): Date | undefined {
  const [, date = '', time = '00:00', offset] = ISO_MOMENT.exec(text) ?? []
  try {
    const local = parseDateTime(`${date}T${time}`)
    return offset ? parseAbsolute(`${date}T${time}${offset}`, 'UTC').toDate() : toZoned(local, timeZone).toDate()
  } catch {
    return undefined
  }
}

/** Removes the apostrophe that our exports put before text that looks like a formula. */
const unescapeFormula = (text: string): string => (/^'[=+\-@\t\r＝＋－＠]/.test(text) ? text.slice(1) : text)

/** The valid answers without files, and the faults; a missing answer is not a fault. */
export function acceptAnswers(definition: Definition, answers: Answers, seed: string): { answers: Answers; faults: Fault[] } {
  const given = Object.entries(tidyAnswers(definition, answers)).filter(([, answer]) => listAnswerFiles(answer).length === 0)
  const walked = walkSurvey(definition, Object.fromEntries(given), seed)
  const faults = checkAnswers(listAskedQuestions(walked), walked.kept).filter(
    ({ code, pointer = '' }) => code !== 'required' || pointer.split('/').length > 2,
  )
  return { answers: walked.kept, faults }
}
