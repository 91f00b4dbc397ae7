import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { openBody } from './bounded-body.ts'

/** An uploaded file, kept on disk until the form has been handled. */
export interface FormFile {
  field: string
  /** As the sender named it. */
  name: string
  bytes: number
  /** The upload exceeded the limit: the file is incomplete. */
  isCut: boolean
  read: () => Promise<Buffer>
}

export interface MultipartForm {
  entries: [name: string, value: string][]
  files: FormFile[]
  /** Deletes the files. */
  discard: () => Promise<void>
}

interface MultipartLimits {
  bytes: number
  /** For all fields other than files. */
  fieldBytes: number
  fields: number
  fileBytes: number
  files: number
}

/** The form exceeds a limit. */
export class FormTooLarge extends Error {}

/**
 * Parses a form with files as it arrives: fields into memory, files to disk, each up to its limit.
 * @throws {FormTooLarge}; anything else if it is not multipart or broke off
 */
export async function readMultipart(request: Request, limits: MultipartLimits): Promise<MultipartForm> {
  const folder = await mkdtemp(join(tmpdir(), 'form-'))
  const discard = () => rm(folder, { recursive: true, force: true })
  try {
    return { ...(await parseMultipart(request, folder, limits)), discard }
  } catch (error) {
    await discard()
    throw error
  }
}

async function parseMultipart(
  request: Request,
  folder: string,
  limits: MultipartLimits,
): Promise<Pick<MultipartForm, 'entries' | 'files'>> {
  const parser = busboy({
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
    defParamCharset: 'utf8',
    limits: { fieldNameSize: 200, fieldSize: limits.fieldBytes, fields: limits.fields, fileSize: limits.fileBytes, files: limits.files },
  })
  const entries: [string, string][] = []
  const files: FormFile[] = []
  const writing: Promise<void>[] = []
  let fieldBytes = 0
  parser.on('field', (name, value, { valueTruncated }) => {
    fieldBytes += name.length + value.length
    if (valueTruncated || fieldBytes > limits.fieldBytes) parser.destroy(new FormTooLarge())
    else entries.push([name, value])
  })
  parser.on('fieldsLimit', () => parser.destroy(new FormTooLarge()))
  parser.on('file', (field, stream, { filename }) => {
    const path = join(folder, String(writing.length))
    const written = createWriteStream(path, { mode: 0o600 })
    const writeFormFile = async () => {
      await pipeline(stream, written)
      const bytes = written.bytesWritten
      // A file input with nothing chosen still sends a file without name and content.
      if (bytes > 0 || filename)
        files.push({ field, name: filename ?? '', bytes, isCut: stream.truncated === true, read: () => readFile(path) })
    }
    const done = writeFormFile()
    // Awaited below; without this, an earlier failure would crash the process as an unhandled rejection.
    done.catch(() => {})
    writing.push(done)
  })
  await pipeline(limitBytes(request, limits.bytes), parser)
  await Promise.all(writing)
  return { entries, files }
}

async function* limitBytes(request: Request, most: number): AsyncGenerator<Uint8Array> {
  let left = most
  for await (const bytes of openBody(request)) {
    left -= bytes.length
    if (left < 0) throw new FormTooLarge()
    yield bytes
  }
}
