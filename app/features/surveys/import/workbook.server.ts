import { readXlsx, streamXlsxRows } from 'hucre/xlsx'
import { assertModestArchive } from '#app/server/assert-modest-archive.ts'
import { BeyondLimitsError } from './beyond-limits.ts'

/** A row of a sheet, by column heading. */
type RowCells = Record<string, string>

interface Workbook {
  /** The sheets that were asked for, by lower-case name. */
  sheets: Map<string, RowCells[]>
  /** Names of the others. */
  others: string[]
}

/** Maximum unpacked size, whatever the archive declares. */
const LARGEST_UNPACKED = 20_000_000
const MAX_ROWS = 5000
const MAX_COLUMNS = 100
/** Maximum characters per cell, as in spreadsheets, and per sheet. */
const MAX_CELL_LENGTH = 32_767
const MAX_TEXT = 4_000_000
/** Cells including the empty ones before the last of each row: one cell far to the right makes its row long. */
const MAX_CELLS = 10_000_000

/**
 * The rows of the named sheets below the heading row. Rows are read one by one, so that memory never depends on
 * the dimensions of a sheet's outermost cells.
 * @throws {BeyondLimitsError} for too many rows, columns or characters; anything else if the file is not a workbook
 */
export async function readSheets(file: Uint8Array, names: readonly string[]): Promise<Workbook> {
  assertModestArchive(file, LARGEST_UNPACKED)
  const sheets = new Map<string, string>()
  const nameSheet = ({ name }: { name: string }) => {
    sheets.set(name.trim().toLowerCase(), name)
    return false
  }
  await readXlsx(file, { sheets: nameSheet })
  const read = new Map<string, RowCells[]>()
  for (const name of names) {
    const sheet = sheets.get(name)
    if (sheet !== undefined) read.set(name, await readRows(file, sheet))
  }
  const others = [...sheets].flatMap(([name, written]) => (names.includes(name) ? [] : [written]))
  return { sheets: read, others }
}

async function readRows(file: Uint8Array, sheet: string): Promise<RowCells[]> {
  const rows: string[][] = []
  let left = MAX_TEXT
  let cells = MAX_CELLS
  for await (const { index, values } of streamXlsxRows(file, { sheet })) {
    cells -= values.length
    if (cells < 0) throw new BeyondLimitsError()
    const last = values.findLastIndex((value) => value !== null && value !== undefined)
    if (last < 0) continue
    if (index > MAX_ROWS || last >= MAX_COLUMNS) throw new BeyondLimitsError()
    rows[index] = values.slice(0, last + 1).map((value) => {
      const text = value === null || value === undefined ? '' : String(value)
      left -= text.length
      if (text.length > MAX_CELL_LENGTH || left < 0) throw new BeyondLimitsError()
      return text.trim()
    })
  }
  const [heads = [], ...lines] = Array.from(rows, (row) => row ?? [])
  const names = heads.map(normaliseHeading)
  return lines.map((line) => Object.fromEntries(names.flatMap((name, index) => (name && line[index] ? [[name, line[index]]] : []))))
}

/** Normalises `Label : English (en)` to `label::English (en)`. */
function normaliseHeading(heading: string): string {
  const [first = '', ...rest] = heading.split(/::?/).map((part) => part.trim())
  const name = first.toLowerCase().replaceAll(' ', '_')
  return [HEADING_ALIASES[name] ?? name, ...rest].join('::')
}

const HEADING_ALIASES: Record<string, string> = {
  relevance: 'relevant',
  caption: 'label',
  constraint_msg: 'constraint_message',
  command: 'type',
}
