import type { CellValue } from '../question-types/question-type.ts'
import type { ExportedRow, ExportPlan } from './plan.ts'
import { zipPieces } from './zip.server.ts'

/** What a cell of a spreadsheet takes, in UTF-16 units, and a sheet in rows. */
const LONGEST_CELL = 32_767
const MOST_ROWS = 1_048_576
/** Tags pack well and fast. */
const PACKING = 3

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const MEDIA = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/**
 * The responses as a workbook, made as it is taken; past a sheet's last row it goes on in another. Words stay words, also where they look
 * like a formula. Ours, as the CSV is: a general writer takes four times as long for the millions of cells of a large survey.
 */
export async function* xlsxPieces({ columns }: ExportPlan, pages: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<Uint8Array> {
  const source = pages[Symbol.asyncIterator]()
  const letters = columns.map((_, index) => columnLetters(index))
  let waiting: readonly ExportedRow[] = []
  let isOver = false
  let sheets = 0

  async function* sheet(): AsyncGenerator<string> {
    yield `${DECLARATION}<worksheet xmlns="${SHEETS}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
    yield rowXml(
      1,
      letters,
      columns.map((column) => column.heading),
    )
    for (let number = 2; number <= MOST_ROWS;) {
      if (waiting.length === 0) {
        const next = await source.next()
        isOver = next.done === true
        if (next.done) break
        waiting = next.value
      }
      const part = waiting.slice(0, MOST_ROWS + 1 - number)
      waiting = waiting.slice(part.length)
      const first = number
      yield part
        .map((row, index) =>
          rowXml(
            first + index,
            letters,
            columns.map((column) => column.value(row)),
          ),
        )
        .join('')
      number += part.length
    }
    yield '</sheetData></worksheet>'
  }

  async function* files() {
    do {
      sheets += 1
      yield { name: `xl/worksheets/sheet${sheets}.xml`, pieces: sheet() }
    } while (!isOver)
    for (const [name, xml] of bookFiles(sheets)) yield { name, pieces: once(DECLARATION + xml) }
  }

  try {
    yield* zipPieces(files(), PACKING)
  } finally {
    await source.return?.()
  }
}

// oxlint-disable-next-line require-await -- as the pieces of other files come
async function* once(text: string): AsyncGenerator<string> {
  yield text
}

function rowXml(number: number, letters: readonly string[], cells: readonly CellValue[]): string {
  let xml = `<row r="${number}">`
  for (const [index, value] of cells.entries()) {
    if (value === null || value === '') continue
    xml +=
      typeof value === 'number' ? `<c r="${letters[index]}${number}"><v>${value}</v></c>` : textCell(`${letters[index]}${number}`, value)
  }
  return `${xml}</row>`
}

// oxlint-disable-next-line no-control-regex -- what XML cannot hold
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
// oxlint-disable-next-line no-control-regex -- and what it means otherwise
const SPECIAL = /[&<>\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
const EDGED = /^\s|\s$/

function textCell(place: string, value: string): string {
  const fitting = value.length > LONGEST_CELL ? value.slice(0, LONGEST_CELL).toWellFormed() : value
  const escaped = SPECIAL.test(fitting)
    ? fitting.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(UNWRITABLE, '')
    : fitting
  return `<c r="${place}" t="inlineStr"><is><t${EDGED.test(fitting) ? ' xml:space="preserve"' : ''}>${escaped}</t></is></c>`
}

/** A, B, … Z, AA. */
function columnLetters(index: number): string {
  const before = Math.floor(index / 26)
  return (before > 0 ? columnLetters(before - 1) : '') + String.fromCodePoint(65 + (index % 26))
}

/** What ties the sheets together. */
function bookFiles(sheets: number): [name: string, xml: string][] {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
  const list = (one: (number: number) => string) => numbers.map(one).join('')
  return [
    [
      'xl/workbook.xml',
      `<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets>${list((n) => `<sheet name="responses${n > 1 ? ` ${n}` : ''}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${PACKAGE}/relationships">${list((n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}</Relationships>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${MEDIA}.sheet.main+xml"/>${list((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${MEDIA}.worksheet+xml"/>`)}</Types>`,
    ],
  ]
}
