import { encodeLines } from './encode-lines.ts'
import { streamZip } from './zip.ts'
import { yieldOnce } from './yield-once.ts'

/** Empty cells are null. */
export type WorkbookCell = string | number | null

/** Limits of a spreadsheet: UTF-16 units per cell, and rows per sheet. */
const MAX_CELL_LENGTH = 32_767
const MAX_ROWS = 1_048_576
/** XML tags compress well even at a fast level. */
const COMPRESSION_LEVEL = 3

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const RELATIONSHIPS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006'
const SPREADSHEET_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const SPREADSHEET_MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export interface Sheet {
  name: string
  heads: readonly string[]
  rows: AsyncIterable<readonly (readonly WorkbookCell[])[]>
}

/** Rows of a short sheet, which are all there already. */
// oxlint-disable-next-line require-await -- async like the rows of longer sheets
export async function* yieldRows<Row extends readonly WorkbookCell[]>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  if (rows.length > 0) yield rows
}

/**
 * Generates a workbook while it is streamed; rows beyond a sheet's limit continue on another sheet. Text stays text, even if it looks like
 * a formula. Hand-written like the CSV: a general writer takes four times as long for the millions of cells of a large survey.
 */
export async function* streamWorkbook(sheets: readonly Sheet[]): AsyncGenerator<Uint8Array> {
  const names: string[] = []
  const sources = sheets.map(({ rows }) => rows[Symbol.asyncIterator]())

  async function* streamFiles() {
    for (const [index, { name, heads }] of sheets.entries()) {
      const source = sources[index]
      if (!source) continue
      const rest: RemainingRows = { waiting: [], isOver: false }
      let parts = 0
      do {
        parts += 1
        names.push(parts > 1 ? `${name} ${parts}` : name)
        yield { name: `xl/worksheets/sheet${names.length}.xml`, pieces: streamSheetXml(heads, source, rest) }
      } while (!rest.isOver)
    }
    for (const [name, xml] of buildWorkbookFiles(names)) yield { name, pieces: yieldOnce(DECLARATION + xml) }
  }

  try {
    yield* streamZip(streamFiles(), COMPRESSION_LEVEL)
  } finally {
    await Promise.all(sources.map(async (source) => source.return?.()))
  }
}

/** What is left of a source after a full sheet. */
interface RemainingRows {
  waiting: readonly (readonly WorkbookCell[])[]
  isOver: boolean
}

async function* streamSheetXml(
  heads: readonly string[],
  source: AsyncIterator<readonly (readonly WorkbookCell[])[]>,
  rest: RemainingRows,
): AsyncGenerator<string | Uint8Array> {
  const letters = heads.map((_, index) => formatColumnLetters(index))
  yield `${DECLARATION}<worksheet xmlns="${SPREADSHEET_NAMESPACE}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
  yield formatRowXml(1, letters, heads)
  for (let number = 2; number <= MAX_ROWS;) {
    if (rest.waiting.length === 0) {
      const next = await source.next()
      rest.isOver = next.done === true
      if (next.done) break
      rest.waiting = next.value
    }
    const part = rest.waiting.slice(0, MAX_ROWS + 1 - number)
    rest.waiting = rest.waiting.slice(part.length)
    const first = number
    yield encodeLines(part, (row, index) => formatRowXml(first + index, letters, row))
    number += part.length
  }
  yield '</sheetData></worksheet>'
}

function formatRowXml(number: number, letters: readonly string[], cells: readonly WorkbookCell[]): string {
  let xml = `<row r="${number}">`
  for (const [index, value] of cells.entries()) {
    if (value === null || value === '') continue
    xml +=
      typeof value === 'number'
        ? `<c r="${letters[index]}${number}"><v>${value}</v></c>`
        : formatTextCell(`${letters[index]}${number}`, value)
  }
  return `${xml}</row>`
}

// oxlint-disable-next-line no-control-regex -- XML does not allow these control characters
const UNWRITABLE_CHARACTERS = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
// oxlint-disable-next-line no-control-regex -- matches the same control characters
const NEEDS_ESCAPING = /[&<>\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
const HAS_EDGE_SPACE = /^\s|\s$/

function formatTextCell(place: string, value: string): string {
  const fitting = value.length > MAX_CELL_LENGTH ? value.slice(0, MAX_CELL_LENGTH).toWellFormed() : value
  const escaped = NEEDS_ESCAPING.test(fitting)
    ? fitting.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(UNWRITABLE_CHARACTERS, '')
    : fitting
  return `<c r="${place}" t="inlineStr"><is><t${HAS_EDGE_SPACE.test(fitting) ? ' xml:space="preserve"' : ''}>${escaped}</t></is></c>`
}

/** A, B, … Z, AA. */
function formatColumnLetters(index: number): string {
  const before = Math.floor(index / 26)
  return (before > 0 ? formatColumnLetters(before - 1) : '') + String.fromCodePoint(65 + (index % 26))
}

const MAX_SHEET_NAME = 31

/** Without forbidden characters, truncated to the maximum length. Of equal names, all but the first end with a number: programs refuse equal ones. */
function formatSheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((given) => {
    const name = given.replace(/[[\]:*?/\\&<>"']/g, ' ')
    for (let number = 1; ; number++) {
      const end = number === 1 ? '' : ` ${number}`
      const full = name.slice(0, MAX_SHEET_NAME - end.length) + end
      if (taken.has(full.toLowerCase())) continue
      taken.add(full.toLowerCase())
      return full
    }
  })
}

/** The files that link the sheets. */
function buildWorkbookFiles(names: readonly string[]): [name: string, xml: string][] {
  const numbers = names.map((_, index) => index + 1)
  const sheetNames = formatSheetNames(names)
  const joinEach = (one: (number: number) => string) => numbers.map(one).join('')
  return [
    [
      'xl/workbook.xml',
      `<workbook xmlns="${SPREADSHEET_NAMESPACE}" xmlns:r="${RELATIONSHIPS_NAMESPACE}"><sheets>${joinEach((n) => `<sheet name="${sheetNames[n - 1] ?? ''}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships">${joinEach((n) => `<Relationship Id="rId${n}" Type="${RELATIONSHIPS_NAMESPACE}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}</Relationships>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS_NAMESPACE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE_NAMESPACE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET_MEDIA_TYPE}.sheet.main+xml"/>${joinEach((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${SPREADSHEET_MEDIA_TYPE}.worksheet+xml"/>`)}</Types>`,
    ],
  ]
}
