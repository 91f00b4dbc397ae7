import { AppError, isAppError } from '#app/lib/app-error.ts'
import { readPicture } from '#app/features/media/media.image.server.ts'
import { FILE_TYPES, type FileKind } from '#app/features/surveys/questionnaire/question-types/files/file-kinds.ts'

export interface FileContent {
  bytes: Buffer
  /** Media type. */
  type: string
}

const MAX_NAME_LENGTH = 100
/** Characters that disguise a name: controls, and marks that change the text direction. */
const DECEPTIVE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu

/**
 * Detects a file's type from its content, whatever its name. Pictures are re-encoded, which removes metadata such as location and author;
 * other files are stored as they are.
 * @param kinds the kinds that the question accepts
 * @throws {AppError} `invalid` with `file-type-refused`, `picture-too-large` or `unreadable-picture`
 */
export async function readFileContent(file: Buffer, kinds: readonly FileKind[]): Promise<FileContent> {
  const type = findDocumentType(file)
  const isAsked = kinds.some((kind) => type !== undefined && type in FILE_TYPES[kind])
  if (type && isAsked) return { bytes: file, type }
  if (type || !kinds.includes('picture')) throw new AppError('invalid', { faults: [{ code: 'file-type-refused' }] })
  try {
    const { bytes, mediaType } = await readPicture(file)
    return { bytes, type: mediaType }
  } catch (error) {
    if (!isAppError(error)) throw error
    throw new AppError(error.code, { faults: error.faults.map(({ code, values }) => ({ code, ...(values && { values }) })) })
  }
}

const OFFICE_TYPE_PREFIX = 'application/vnd.openxmlformats-officedocument.'
const OPEN_DOCUMENT_TYPE_PREFIX = 'application/vnd.oasis.opendocument.'

/** A document's type by its magic bytes and the entries of its archive; undefined for anything else, and for files with macros. */
function findDocumentType(file: Buffer): string | undefined {
  if (file.subarray(0, 5).toString('latin1') === '%PDF-') return 'application/pdf'
  if (file.length < 4 || file.readUInt32LE(0) !== 0x04034b50) return undefined
  const [name, content] = readFirstEntry(file)
  if (name === 'mimetype')
    return [`${OPEN_DOCUMENT_TYPE_PREFIX}text`, `${OPEN_DOCUMENT_TYPE_PREFIX}spreadsheet`].find((type) => type === content)
  const hasPart = (part: string) => file.includes(part, 0, 'latin1')
  if (!hasPart('[Content_Types].xml') || hasPart('vbaProject.bin')) return undefined
  if (hasPart('word/document.xml')) return `${OFFICE_TYPE_PREFIX}wordprocessingml.document`
  return hasPart('xl/workbook.xml') ? `${OFFICE_TYPE_PREFIX}spreadsheetml.sheet` : undefined
}

/** The name of an archive's first entry, and its content if stored uncompressed. */
function readFirstEntry(file: Buffer): [name: string, content: string] {
  if (file.length < 30) return ['', '']
  const from = 30 + file.readUInt16LE(26)
  const start = from + file.readUInt16LE(28)
  const size = file.readUInt16LE(8) === 0 ? file.readUInt32LE(18) : 0
  return [file.subarray(30, from).toString('latin1'), file.subarray(start, start + Math.min(size, 100)).toString('latin1')]
}

/** A file name that is safe to show and save: no path, no deceptive characters, and the extension of its actual type. */
export function toSafeName(given: string, type: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .replace(DECEPTIVE_CHARACTERS, '')
    .replace(/[<>:"|?*]/g, '')
    .replace(/\s+/g, ' ')
  const bare = plain.replace(/\.[^.]{0,10}$/, '').replace(/^[\s.]+|[\s.]+$/g, '')
  return withEnding(Array.from(bare).slice(0, MAX_NAME_LENGTH).join('') || 'file', type)
}

export function withEnding(name: string, type: string): string {
  const ending = Object.values(FILE_TYPES).find((types) => type in types)?.[type]
  return ending ? `${name}.${ending}` : name
}
