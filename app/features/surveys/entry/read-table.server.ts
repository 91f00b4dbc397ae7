import { parseAbsolute, parseDateTime, toZoned } from '@internationalized/date'
import { parse } from 'csv-parse/sync'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { listAnswerFiles } from '../questionnaire/question-types/files/files.ts'
import { checkAnswers, tidyAnswers } from '../questionnaire/answers.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { resolveRelativeDays } from '../questionnaire/relative-days.ts'
import { listAskedQuestions, walkSurvey } from '../questionnaire/walk-survey.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import { parseRowAnswers, listCsvTargets, guessTargetKey } from './csv-targets.ts'
import { formatSample, guessOwnTarget, isOwnJson, parseOwnAnswers } from './read-own-answers.ts'
import { MAX_ROWS, type ResponseTableReport, type RowFault } from './entry.schema.ts'

const MAX_FAULTS = 200
const MAX_SAMPLES = 3
const MAX_COLUMNS = 2000
/** In characters, as in spreadsheets. */
const MAX_CELL_LENGTH = 32_767
const MAX_ORIGIN_LENGTH = 200

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
  /** As a spreadsheet numbers it. */
  number: number
  /** The row's own name in the file, if it has one. */
  origin: string
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
  return isOwnJson(given.text) ? readOwnResponses(given) : readTableResponses(given)
}

function readTableResponses(given: TableToRead): ReadTable {
  const [{ cells: head }, ...lines] = parseTable(given.text)
  const targets = listCsvTargets(given.definition, given.language, given.locale)
  const columns = head.map((heading, index) => ({
    heading,
    samples: listSamples(lines, ({ cells }) => cells[index] ?? ''),
    target: given.columns?.[index] ?? guessTargetKey(heading, targets),
  }))
  const byKey = new Map(targets.map((target) => [target.key, target]))
  const headingOf = (question: string) => columns.find(({ target }) => byKey.get(target)?.question === question)?.heading
  const rows = lines.map(({ cells, number }): RowToRead => ({
    number,
    cellOf: (key) => cells[columns.findIndex(({ target }) => target === key)] ?? '',
    readAnswers: () => {
      const named = columns.flatMap(({ target: key }, index) => {
        const target = byKey.get(key)
        return target ? [{ target, text: unescapeFormula(cells[index] ?? '') }] : []
      })
      return parseRowAnswers(given.definition, named)
    },
  }))
  return readRows(given, { holds: 'cells', columns, rows, headingOf })
}

/** Whole answers, so that nothing is lost by turning them into cells and back. */
function readOwnResponses(given: TableToRead): ReadTable {
  const { columns: found, responses } = parseOwnAnswers(given.text, given.language, given.locale)
  const columns = found.map((column, index) => ({
    heading: column.heading,
    samples: listSamples(responses, ({ cells, answers }) => {
      const answer = answers[column.key]
      return column.type === undefined ? (cells[column.key] ?? '') : answer === undefined ? '' : formatSample(answer)
    }),
    target: given.columns?.[index] ?? guessOwnTarget(column, given.definition),
  }))
  const headingOf = (question: string) => columns.find(({ target }) => target === question)?.heading
  const rows = responses.map(({ cells, answers }, index): RowToRead => ({
    number: index + 1,
    cellOf: (key) => cells[found[columns.findIndex(({ target }) => target === key)]?.key ?? ''] ?? '',
    readAnswers: () =>
      Object.fromEntries(
        columns.flatMap(({ target }, at) => {
          const column = found[at]
          const answer = column?.type === undefined ? undefined : answers[column.key]
          return target && answer !== undefined ? [[target, answer]] : []
        }),
      ),
  }))
  return readRows(given, { holds: 'answers', columns, rows, headingOf })
}

interface TableContent {
  holds: ResponseTableReport['holds']
  columns: ResponseTableReport['columns']
  rows: readonly RowToRead[]
  /** The heading of the column that holds a question's answers. */
  headingOf: (question: string) => string | undefined
}

function readRows(given: TableToRead, { holds, columns, rows: toRead, headingOf }: TableContent): ReadTable {
  const report: ResponseTableReport = { rows: toRead.length, holds, columns, faults: [], stored: 0, existing: 0 }
  if (!given.columns) return { report, rows: [] }
  const findHeading = (key: string) => columns.find(({ target }) => target === key)?.heading ?? headingOf(key) ?? key
  const rows: ReadRow[] = []
  const origins = new Set<string>()
  for (const each of toRead) {
    const { row, faults } = readRow(given, each, findHeading)
    if (row.origin && origins.has(row.origin)) faults.push({ row: row.number, column: findHeading('response'), code: 'taken' })
    origins.add(row.origin)
    rows.push(row)
    report.faults.push(...faults)
    if (report.faults.length >= MAX_FAULTS) break
  }
  report.faults = report.faults.slice(0, MAX_FAULTS)
  return { report, rows: report.faults.length > 0 ? [] : rows }
}

function listSamples<Row>(lines: readonly Row[], read: (line: Row) => string): string[] {
  const samples: string[] = []
  for (const line of lines) {
    const text = read(line)
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
  /** Spreadsheet row number. */
  number: number
  /** Text of the column with this target; '' if there is none. */
  cellOf: (key: string) => string
  readAnswers: () => Answers
}

function readRow(
  { definition, locale, languages, timeZone, now }: TableToRead,
  { number: row, cellOf, readAnswers }: RowToRead,
  findHeading: (key: string) => string,
): { row: ReadRow; faults: RowFault[] } {
  const faults: RowFault[] = []
  const [language, when] = [cellOf('language').trim() || locale, cellOf('submitted_at').trim()]
  const spoken = languages.find((code) => code === language)
  if (!spoken) faults.push({ row, column: findHeading('language'), code: 'not-a-choice' })
  const submittedAt = when ? parseMoment(when, timeZone) : now
  if (!submittedAt || submittedAt > now) faults.push({ row, column: findHeading('submitted_at'), code: 'not-a-date' })
  const answeredOn = toCalendarDay(timeZone, submittedAt ?? now)
  const given = acceptAnswers(resolveRelativeDays(definition, answeredOn), readAnswers(), String(row))
  for (const { code, pointer, values } of given.faults) {
    const question = pointer?.split('/')[1] ?? ''
    faults.push({ row, column: findHeading(question), code, ...(values && { values }) })
  }
  if (given.faults.length === 0 && Object.keys(given.answers).length === 0) faults.push({ row, column: '', code: 'required' })
  const origin = cellOf('response').trim().slice(0, MAX_ORIGIN_LENGTH)
  return { row: { number: row, origin, language: spoken ?? locale, submittedAt: submittedAt ?? now, answers: given.answers }, faults }
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
