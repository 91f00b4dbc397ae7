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
  await readOn(source, rest)
  yield `${DECLARATION}<worksheet xmlns="${SPREADSHEET_NAMESPACE}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${formatColumns(heads, rest.waiting)}<sheetData>`
  yield formatRowXml(1, letters, heads, HEAD_STYLE)
  for (let number = 2; number <= MAX_ROWS;) {
    await readOn(source, rest)
    if (rest.isOver) break
    const part = rest.waiting.slice(0, MAX_ROWS + 1 - number)
    rest.waiting = rest.waiting.slice(part.length)
    const first = number
    yield encodeLines(part, (row, index) => formatRowXml(first + index, letters, row))
    number += part.length
  }
  yield '</sheetData></worksheet>'
}

/** Reads the next rows if none are waiting. */
async function readOn(source: AsyncIterator<readonly (readonly WorkbookCell[])[]>, rest: RemainingRows): Promise<void> {
  while (rest.waiting.length === 0 && !rest.isOver) {
    const next = await source.next()
    rest.isOver = next.done === true
    if (!next.done) rest.waiting = next.value
  }
}

/** In characters. */
const [LEAST_WIDTH, MOST_WIDTH] = [8, 60]
const ROWS_FOR_WIDTH = 200

/** Columns are as wide as their head and first rows ask for, since programs cut off what does not fit beside a cell that is not empty. */
function formatColumns(heads: readonly string[], rows: readonly (readonly WorkbookCell[])[]): string {
  if (heads.length === 0) return ''
  const shown = [heads, ...rows.slice(0, ROWS_FOR_WIDTH)]
  const columns = heads.map((_, index) => {
    const longest = Math.max(...shown.map((cells) => String(cells[index] ?? '').length))
    const width = Math.min(Math.max(longest + 2, LEAST_WIDTH), MOST_WIDTH)
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`
  })
  return `<cols>${columns.join('')}</cols>`
}

/** The second style of the workbook: bold. */
const HEAD_STYLE = ' s="1"'
const STYLES = `<styleSheet xmlns="${SPREADSHEET_NAMESPACE}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`

function formatRowXml(number: number, letters: readonly string[], cells: readonly WorkbookCell[], style = ''): string {
  let xml = `<row r="${number}">`
  for (const [index, value] of cells.entries()) {
    if (value === null || value === '') continue
    xml +=
      typeof value === 'number'
        ? `<c r="${letters[index]}${number}"${style}><v>${value}</v></c>`
        : formatTextCell(`${letters[index]}${number}`, value, style)
  }
  return `${xml}</row>`
}

// oxlint-disable-next-line no-control-regex -- XML does not allow these control characters
const UNWRITABLE_CHARACTERS = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
// oxlint-disable-next-line no-control-regex -- matches the same control characters
const NEEDS_ESCAPING = /[&<>\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
const HAS_EDGE_SPACE = /^\s|\s$/

function formatTextCell(place: string, value: string, style: string): string {
  const fitting = value.length > MAX_CELL_LENGTH ? value.slice(0, MAX_CELL_LENGTH).toWellFormed() : value
  const escaped = NEEDS_ESCAPING.test(fitting)
    ? fitting.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(UNWRITABLE_CHARACTERS, '')
    : fitting
  return `<c r="${place}"${style} t="inlineStr"><is><t${HAS_EDGE_SPACE.test(fitting) ? ' xml:space="preserve"' : ''}>${escaped}</t></is></c>`
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
      `<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships">${joinEach((n) => `<Relationship Id="rId${n}" Type="${RELATIONSHIPS_NAMESPACE}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${names.length + 1}" Type="${RELATIONSHIPS_NAMESPACE}/styles" Target="styles.xml"/></Relationships>`,
    ],
    ['xl/styles.xml', STYLES],
    [
      '_rels/.rels',
      `<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS_NAMESPACE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE_NAMESPACE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET_MEDIA_TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET_MEDIA_TYPE}.styles+xml"/>${joinEach((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${SPREADSHEET_MEDIA_TYPE}.worksheet+xml"/>`)}</Types>`,
    ],
  ]
}
