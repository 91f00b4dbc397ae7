import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReadableStream } from 'node:stream/web'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'

/** A file that came with a form, on disk until the form has been dealt with. */
export interface FormFile {
  field: string
  /** As its sender calls it. */
  name: string
  bytes: number
  /** More of it came than is read: what there is of it is not whole. */
  isCut: boolean
  read: () => Promise<Buffer>
}

export interface MultipartForm {
  entries: [name: string, value: string][]
  files: FormFile[]
  /** Forgets the files. */
  discard: () => Promise<void>
}

interface MultipartLimits {
  /** Of the whole form. */
  bytes: number
  /** Of all fields that are no files. */
  fieldBytes: number
  fields: number
  fileBytes: number
  files: number
}

/** More came than is taken at all. */
export class FormTooLarge extends Error {}

/**
 * Reads a form with files as it arrives: fields into memory, files to disk, each no further than it may be long.
 * @throws {FormTooLarge}; anything else where it is no such form, or broke off
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
      // A field in which nothing was chosen comes as a file without name and content.
      if (bytes > 0 || filename)
        files.push({ field, name: filename ?? '', bytes, isCut: stream.truncated === true, read: () => readFile(path) })
    }
    const done = writeFormFile()
    // Waited for below; one that fails meanwhile must not end the process.
    done.catch(() => {})
    writing.push(done)
  })
  await pipeline(limitBytes(request, limits.bytes), parser)
  await Promise.all(writing)
  return { entries, files }
}

async function* limitBytes(request: Request, most: number): AsyncGenerator<Uint8Array> {
  if (!request.body) return
  let left = most
  for await (const bytes of request.body as ReadableStream<Uint8Array>) {
    left -= bytes.length
    if (left < 0) throw new FormTooLarge()
    yield bytes
  }
}
