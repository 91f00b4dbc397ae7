import { streamXlsxRows } from 'hucre/xlsx'
import { AppError } from '#app/lib/app-error.ts'
import { assertModestArchive } from '#app/server/assert-modest-archive.ts'
import { readBoundedXml, XmlBeyondBounds, type XmlBounds } from '#app/server/bounded-xml.ts'
import type { FileText, TranslationFile } from './translation-file.ts'

/** What an XLIFF file may have. */
export const XLIFF_BOUNDS: XmlBounds = { depth: 40, elements: 600_000, attributes: 1_500_000, attributeLength: 5000, namespaces: 100 }

const MAX_TEXTS = 50_000
const LARGEST_UNPACKED = 80_000_000
const MAX_CELLS = 1_000_000
/** Columns of a workbook, by the heading that the export wrote. */
const HEADS = { id: 'ID', source: /^Source \((.+)\)$/, target: /^Target \((.+)\)$/ }

class TooMuch extends Error {}

/**
 * Reads a file that came back from translators: XLIFF 2 or 1.2, or a workbook as it was exported.
 * @throws {AppError} `invalid` with `unreadable-file` or `file-too-complex` at `/file`
 */
export async function readTranslations({ file }: { file: Uint8Array }): Promise<TranslationFile> {
  try {
    if (file[0] === 0x50 && file[1] === 0x4b) return await readWorkbook(file)
    return readXliff(new TextDecoder('utf-8', { fatal: true }).decode(file))
  } catch (error) {
    const code = error instanceof TooMuch || error instanceof XmlBeyondBounds ? 'file-too-complex' : 'unreadable-file'
    throw new AppError('invalid', { faults: [{ code, pointer: '/file' }] })
  }
}

/** @throws {XmlBeyondBounds}; anything else if it is not XLIFF */
export function readXliff(xml: string): TranslationFile {
  const texts: FileText[] = []
  const open: string[] = []
  const read: TranslationFile = { from: undefined, to: undefined, texts }
  let unit: FileText | undefined
  let isRead = false
  /** Text of nested marks belongs to the source or target around it; alternatives that a tool suggests do not. */
  const addText = (text: string) => {
    if (!unit || open.some((name) => name === 'notes' || name === 'note' || name === 'matches' || name === 'alt-trans')) return
    if (open.includes('target')) unit.target += text
    else if (open.includes('source')) unit.source += text
  }
  const skip = () => undefined
  readBoundedXml(xml, XLIFF_BOUNDS, {
    comment: skip,
    instruction: skip,
    cdata: addText,
    text: addText,
    open: ({ local, attributes }) => {
      const find = (name: string) => attributes.find((one) => one.local === name)?.value
      if (open.length === 0 && local !== 'xliff') throw new Error('Not XLIFF')
      isRead = true
      if (local === 'xliff') [read.from, read.to] = [find('srcLang'), find('trgLang')]
      if (local === 'file') [read.from, read.to] = [read.from ?? find('source-language'), read.to ?? find('target-language')]
      if (local === 'unit' || local === 'trans-unit') {
        if (texts.length >= MAX_TEXTS) throw new TooMuch()
        unit = { id: find('name') ?? find('resname') ?? find('id') ?? '', source: '', target: '' }
        texts.push(unit)
      }
      open.push(local)
    },
    close: () => {
      const closed = open.pop()
      if (closed === 'unit' || closed === 'trans-unit') unit = undefined
    },
  })
  if (!isRead) throw new Error('Not XLIFF')
  return read
}

async function readWorkbook(file: Uint8Array): Promise<TranslationFile> {
  assertModestArchive(file, LARGEST_UNPACKED)
  const read: TranslationFile = { from: undefined, to: undefined, texts: [] }
  let columns: { id: number; source: number; target: number } | undefined
  let cells = 0
  for await (const { values } of streamXlsxRows(file)) {
    cells += values.length
    if (cells > MAX_CELLS || read.texts.length >= MAX_TEXTS) throw new TooMuch()
    const line = values.map((value) => (value === null || value === undefined ? '' : String(value)))
    if (columns) {
      const id = line[columns.id]?.trim()
      if (id) read.texts.push({ id, source: line[columns.source] ?? '', target: line[columns.target] ?? '' })
      continue
    }
    const heads = line.map((head) => head.trim())
    const at = {
      id: heads.indexOf(HEADS.id),
      source: heads.findIndex((head) => HEADS.source.test(head)),
      target: heads.findIndex((head) => HEADS.target.test(head)),
    }
    if (Math.min(at.id, at.source, at.target) < 0) continue
    columns = at
    read.from = HEADS.source.exec(heads[at.source] ?? '')?.[1]
    read.to = HEADS.target.exec(heads[at.target] ?? '')?.[1]
  }
  if (!columns) throw new Error('Not a workbook of texts')
  return read
}
