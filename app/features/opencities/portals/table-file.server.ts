import { Readable } from 'node:stream'
import { type Options, parse } from 'csv-parse'
import { guessColumnType, type SourceLocale } from '../parse-cells.ts'
import { MAX_CELL_LENGTH, MAX_COLUMNS, type DatasetFacts } from '../opencities.schema.ts'
import { PortalFault, type RowBatch, type SourceRow } from './portal.server.ts'

const BATCH_ROWS = 2000
const SAMPLE_ROWS = 500
/** Maximum size of a batch or sample in memory: single rows may be large. */
const MAX_LETTERS = 4_000_000
/** Maximum length of a row in the file, all cells together. */
const MAX_ROW_LENGTH = 1_000_000
const HEAD_BYTES = 64 * 1024

/** Name of the column for points that a table gives as two columns. */
const PLACE_COLUMN = 'place'

/**
 * Streams the rows of a CSV file: any common separator, UTF-8 or Windows-1252, keyed by the header line. Even a file of a million rows is
 * never held in memory.
 * @throws {PortalFault} if a row or cell is too large, or there is no table
 */
export async function* readCsvRows(body: AsyncIterable<Buffer>, contentType = ''): AsyncGenerator<SourceRow, void, undefined> {
  const text = decodeText(body, contentType)
  const first = await text.next()
  if (first.done) return
  const options: Options = {
    delimiter: detectSeparator(first.value),
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
  }
  const source = Readable.from(prependChunk(first.value, text))
  const parser = source.pipe(parse(options))
  source.on('error', (error) => parser.destroy(error))
  let toRow: ((record: TableRecord) => SourceRow) | undefined
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (toRow) yield toRow(record)
      else toRow = createRowReader(record)
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'CSV_MAX_RECORD_SIZE') {
      throw new PortalFault('portal-cell-too-large', 'a row larger than a megabyte')
    }
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_'))
      throw new PortalFault('portal-not-understood', error.message)
    throw error
  } finally {
    source.destroy()
    parser.destroy()
  }
}

export type TableRecord = readonly (string | number | boolean | null)[]

/** Makes rows of a table's records, by its header; a latitude and a longitude become a place as well. */
export function createRowReader(header: readonly string[]): (record: TableRecord) => SourceRow {
  const names = makeUniqueNames(header)
  const place = findCoordinateColumns(names)
  return (record) => {
    const row: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) row[name] = record[index] ?? ''
    const [latitude, longitude] = (place ?? []).map((index) => record[index])
    if (place && !(PLACE_COLUMN in row)) row[PLACE_COLUMN] = latitude && longitude ? `${latitude},${longitude}` : ''
    return row
  }
}

async function* prependChunk(first: string, rest: AsyncGenerator<string, void, undefined>): AsyncGenerator<string, void, undefined> {
  yield first
  yield* rest
}

/**
 * Decodes the bytes. Without a declared charset it is UTF-8 if the beginning is valid UTF-8, otherwise Windows-1252, as Western
 * spreadsheets write.
 */
async function* decodeText(body: AsyncIterable<Buffer>, contentType: string): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoder | undefined
  let head = Buffer.alloc(0)
  for await (const chunk of body) {
    if (!decoder) {
      head = Buffer.concat([head, chunk])
      if (head.length < HEAD_BYTES) continue
      decoder = createDecoder(head, contentType)
      yield decoder.decode(head, { stream: true })
    } else yield decoder.decode(chunk, { stream: true })
  }
  if (!decoder) {
    if (head.length > 0) yield createDecoder(head, contentType).decode(head)
  } else {
    const rest = decoder.decode()
    if (rest) yield rest
  }
}

/** How ZIP archives, older spreadsheets and PDF files begin. */
const OTHER_FILES = ['504b0304', 'd0cf11e0', '255044462d']
const WEB_PAGE = /^\s*<(!doctype\s+html|html|\?xml)[\s>]/i

/** Some portals send other files, or a page that says where the file went, as CSV. */
function isOtherFile(head: Buffer): boolean {
  const hex = head.toString('hex', 0, 8)
  return OTHER_FILES.some((beginning) => hex.startsWith(beginning)) || WEB_PAGE.test(head.toString('utf8', 0, 200).replace(/^\uFEFF/, ''))
}

function createDecoder(head: Buffer, contentType: string): TextDecoder {
  if (isOtherFile(head)) throw new PortalFault('portal-not-understood', 'no text table')
  const declared = /charset="?([\w-]+)/i.exec(contentType)?.[1]
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le')
  try {
    // The head may end in the middle of a character.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return new TextDecoder('utf-8')
  } catch {
    try {
      return new TextDecoder(declared && !/^utf-?8$/i.test(declared) ? declared : 'windows-1252')
    } catch {
      return new TextDecoder('windows-1252')
    }
  }
}

function detectSeparator(head: string): string {
  const line = head.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] ?? ''
  const bare = line.replace(/"[^"]*"/g, '')
  const counted = [';', '\t', '|', ','].map((sign) => ({ sign, count: bare.split(sign).length }))
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).sign
}

function makeUniqueNames(header: readonly string[]): string[] {
  if (header.length > MAX_COLUMNS) throw new PortalFault('portal-not-understood', `${header.length} columns`)
  const known = new Map<string, number>()
  return header.map((given, index) => {
    const name = given.replaceAll('\0', '').toWellFormed().trim().slice(0, 120) || `column ${index + 1}`
    const count = (known.get(name) ?? 0) + 1
    known.set(name, count)
    return count === 1 ? name : `${name} ${count}`
  })
}

/** Indexes of the latitude and longitude columns. */
function findCoordinateColumns(names: readonly string[]): [number, number] | undefined {
  const [latitude, longitude] = [/^lat(itude)?$/i, /^(lon|lng|long)(gitude)?$/i].map((pattern) =>
    names.findIndex((name) => pattern.test(name)),
  )
  return latitude !== undefined && longitude !== undefined && latitude >= 0 && longitude >= 0 ? [latitude, longitude] : undefined
}

/**
 * Rows in batches, skipping those before `from`: a file can only be read from its beginning.
 * @param first position of the first row received, if the source itself started later
 */
export async function* batchRows(rows: AsyncIterable<SourceRow>, from: number, first = 0): AsyncGenerator<RowBatch, void, undefined> {
  let read = first
  let batch: SourceRow[] = []
  let letters = 0
  for await (const row of rows) {
    read += 1
    if (read <= from) continue
    batch.push(row)
    letters += countLetters(row)
    if (batch.length < BATCH_ROWS && letters < MAX_LETTERS) continue
    yield { rows: batch, cursor: { row: read } }
    batch = []
    letters = 0
  }
  if (batch.length > 0) yield { rows: batch, cursor: { row: read } }
}

/** Size of a row in characters. */
function countLetters(row: SourceRow): number {
  let letters = 0
  for (const value of Object.values(row))
    letters += typeof value === 'string' ? value.length : typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8
  return letters
}

/** Infers columns from the first rows. */
export async function guessColumns(
  rows: AsyncGenerator<SourceRow, void, undefined>,
  sourceLocale: SourceLocale,
): Promise<DatasetFacts['columns']> {
  const sample: SourceRow[] = []
  let letters = 0
  for await (const row of rows) {
    sample.push(row)
    letters += countLetters(row)
    if (sample.length >= SAMPLE_ROWS || letters >= MAX_LETTERS) break
  }
  const keys = [...new Set(sample.flatMap((row) => Object.keys(row)))].slice(0, MAX_COLUMNS)
  return keys.map((key) => {
    const values = sample.map((row) => row[key])
    const readable = values.filter((value) => typeof value !== 'string' || value.length <= MAX_CELL_LENGTH)
    return { key, label: key, type: guessColumnType(key, readable, sourceLocale) }
  })
}
