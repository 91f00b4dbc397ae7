import { AppError, isAppError } from '#app/lib/app-error.ts'
import { readPicture } from '#app/features/media/media.image.server.ts'
import { FILE_TYPES, type FileKind } from '#app/features/surveys/questionnaire/question-types/files/file-kinds.ts'

/** A file to be kept. */
export interface FileContent {
  bytes: Buffer
  /** Media type. */
  type: string
}

const MAX_NAME_LENGTH = 100
/** What makes a name read as another: controls, and marks that turn the direction of writing. */
const DECEPTIVE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu

/**
 * Tells what a file is by what it holds, whatever it is called. A picture is drawn anew, so that nothing is left of where and by whom it was
 * taken; other files are kept as they came.
 * @param kinds those that are asked for
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

/** Of documents, by their first bytes and the parts of their archive; undefined for anything else, and for what carries macros. */
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

/** The name of an archive's first part, and what it holds where it is not packed. */
function readFirstEntry(file: Buffer): [name: string, content: string] {
  if (file.length < 30) return ['', '']
  const from = 30 + file.readUInt16LE(26)
  const start = from + file.readUInt16LE(28)
  const size = file.readUInt16LE(8) === 0 ? file.readUInt32LE(18) : 0
  return [file.subarray(30, from).toString('latin1'), file.subarray(start, start + Math.min(size, 100)).toString('latin1')]
}

/** A file's own name as it may be shown and saved: no path, nothing deceptive, and the ending of what it is. */
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
