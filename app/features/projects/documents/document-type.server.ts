import { DOCUMENT_TYPES, type DocumentType } from './documents.schema.ts'

/**
 * Detects a file's type from its content; undefined if it is not accepted. The name only decides between text and CSV, which look alike.
 */
export function detectDocumentType(bytes: Buffer, name: string): DocumentType | undefined {
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'application/pdf'
  if (bytes.length > 30 && bytes.readUInt32BE(0) === ZIP) return detectZipType(bytes)
  return isText(bytes) ? (/\.csv$/i.test(name) ? 'text/csv' : 'text/plain') : undefined
}

const ZIP = 0x504b0304
const END_OF_ENTRIES = 0x06054b50
const ENTRY = 0x02014b50
const MAX_ENTRIES = 20_000

function detectZipType(bytes: Buffer): DocumentType | undefined {
  const names = readEntryNames(bytes)
  if (!names || [...names].some((name) => /vba|macro|^Basic\//i.test(name))) return undefined
  if (names.has('[Content_Types].xml')) {
    const office = [
      ['word/document.xml', 'wordprocessingml.document'],
      ['xl/workbook.xml', 'spreadsheetml.sheet'],
      ['ppt/presentation.xml', 'presentationml.presentation'],
    ] as const
    const part = office.find(([main]) => names.has(main))
    return part && `application/vnd.openxmlformats-officedocument.${part[1]}`
  }
  // Its first entry is the type itself, uncompressed.
  const nameLength = bytes.readUInt16LE(26)
  if (bytes.toString('latin1', 30, 30 + nameLength) !== 'mimetype') return undefined
  const begin = 30 + nameLength + bytes.readUInt16LE(28)
  const declared = bytes.toString('latin1', begin, begin + bytes.readUInt32LE(18))
  return declared.startsWith('application/vnd.oasis.opendocument.') && declared in DOCUMENT_TYPES ? (declared as DocumentType) : undefined
}

/** The names in the central directory at the end of a zip file; undefined if it is broken. */
function readEntryNames(bytes: Buffer): Set<string> | undefined {
  const end = bytes.lastIndexOf(toLittleEndian(END_OF_ENTRIES))
  if (end < 0 || end + 22 > bytes.length) return undefined
  const total = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  const names = new Set<string>()
  if (total > MAX_ENTRIES) return undefined
  for (let index = 0; index < total; index++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) return undefined
    const length = bytes.readUInt16LE(at + 28)
    names.add(bytes.toString('utf8', at + 46, at + 46 + length))
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return names
}

function toLittleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** UTF-8 or one of the legacy 8-bit encodings that spreadsheets still write; never with control characters or markup. */
function isText(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  // oxlint-disable-next-line no-control-regex -- these are the characters that text does not contain
  return text.trim() !== '' && !/[\u0000-\u0008\u000E-\u001F]/.test(text) && !/^(\u00EF\u00BB\u00BF)?\s*</.test(text)
}
