import { Readable } from 'node:stream'
import { type Options, parse } from 'csv-parse'
import { guessColumnType, type SourceLocale } from '../parse-cells.ts'
import { MAX_CELL_LENGTH, MAX_COLUMNS, type DatasetFacts } from '../opencities.schema.ts'
import { PortalFault, type RowBatch, type SourceRow } from './portal.server.ts'

const BATCH_ROWS = 2000
const SAMPLE_ROWS = 500
/** Of a batch or a sample: rows may be large, and what lies in memory may not. */
const MAX_LETTERS = 4_000_000
/** A row as it stands in the file: all of its cells together. */
const MAX_ROW_LENGTH = 1_000_000
const HEAD_BYTES = 64 * 1024

/** Points that a table gives in two columns, under the name of a column of their own. */
const PLACE_COLUMN = 'place'

/**
 * The rows of a CSV file as they come: any of the usual separators, in UTF-8 or Windows-1252, by the names of its first line. A file of a
 * million rows never lies in memory.
 * @throws {PortalFault} a row or cell too large, or no table at all
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
  let names: string[] | undefined
  let place: [number, number] | undefined
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (!names) {
        names = makeUniqueNames(record)
        place = findCoordinateColumns(names)
        continue
      }
      const row: Record<string, unknown> = {}
      for (const [index, name] of names.entries()) row[name] = record[index] ?? ''
      const [latitude, longitude] = (place ?? []).map((index) => record[index])
      if (place && !(PLACE_COLUMN in row)) row[PLACE_COLUMN] = latitude && longitude ? `${latitude},${longitude}` : ''
      yield row
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

async function* prependChunk(first: string, rest: AsyncGenerator<string, void, undefined>): AsyncGenerator<string, void, undefined> {
  yield first
  yield* rest
}

/** Text of the bytes. Without a declaration it is UTF-8 where its first part is, else what spreadsheets of the West write. */
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

function createDecoder(head: Buffer, contentType: string): TextDecoder {
  const declared = /charset="?([\w-]+)/i.exec(contentType)?.[1]
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le')
  try {
    // A character may be cut in two at the end of the head.
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

/** Indexes of latitude and longitude. */
function findCoordinateColumns(names: readonly string[]): [number, number] | undefined {
  const [latitude, longitude] = [/^lat(itude)?$/i, /^(lon|lng|long)(gitude)?$/i].map((pattern) =>
    names.findIndex((name) => pattern.test(name)),
  )
  return latitude !== undefined && longitude !== undefined && latitude >= 0 && longitude >= 0 ? [latitude, longitude] : undefined
}

/**
 * Rows in batches. Those before `from` are passed over: a file can only be read from its beginning.
 * @param first the place of the first row that comes, where the source began later
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

/** How much of a source a row is. */
function countLetters(row: SourceRow): number {
  let letters = 0
  for (const value of Object.values(row))
    letters += typeof value === 'string' ? value.length : typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8
  return letters
}

/** Columns as the first rows show them. */
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
