import { AppError } from '../lib/app-error.ts'
import { type FormFile, FormTooLarge, readMultipart } from './multipart.ts'

interface UploadLimits {
  /** A larger file is cut one byte later, so that its reader can refuse it. */
  fileBytes: number
  /** For the fields around the file. */
  fieldBytes: number
}

/**
 * Reads a form with one file in its field `file`. Reads no more than the limits, whatever length the request declares.
 * @param use is given the file, which is deleted afterwards, and the other fields by name
 * @throws {AppError} `unsupported-media-type`, `too-large`, `bad-request`
 */
export async function withUploadedFile<Result>(
  request: Request,
  { fileBytes, fieldBytes }: UploadLimits,
  use: (file: FormFile, fields: ReadonlyMap<string, string>) => Promise<Result>,
): Promise<Result> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('multipart/form-data')) throw new AppError('unsupported-media-type')
  const limits = { bytes: fileBytes + fieldBytes, fieldBytes, fields: 20, fileBytes: fileBytes + 1, files: 1 }
  const form = await readMultipart(request, limits).catch((error: unknown) => {
    throw new AppError(error instanceof FormTooLarge ? 'too-large' : 'bad-request')
  })
  try {
    const file = form.files.find(({ field }) => field === 'file')
    if (!file) throw new AppError('bad-request')
    return await use(file, new Map(form.entries))
  } finally {
    await form.discard()
  }
}
