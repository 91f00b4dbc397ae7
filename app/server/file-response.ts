import type { Ctx } from './context.ts'
import { createRefusedFileResponse } from './refused-file.ts'

export interface DownloadFile {
  filename: string
  /** The media type. */
  type: string
  /** Length in bytes, if known in advance. */
  bytes?: number | null
  /** The file in chunks, produced on demand. */
  pieces: AsyncGenerator<Uint8Array>
  /** For everybody, also for programs of other sites. */
  isOpen?: boolean
}

const HEADERS = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' }
const OPEN_HEADERS = { 'cache-control': 'public, max-age=60', 'access-control-allow-origin': '*' }

/** A file download; without permission, an error in the reader's language. */
export async function createFileResponse(ctx: Ctx, open: () => Promise<DownloadFile>): Promise<Response> {
  try {
    const { filename, type, bytes, pieces, isOpen } = await open()
    const length = bytes ? { 'content-length': String(bytes) } : undefined
    return new Response(toFileStream(pieces), {
      headers: {
        ...HEADERS,
        ...(isOpen && OPEN_HEADERS),
        ...length,
        'content-type': type,
        'content-disposition': `attachment; filename="${filename}"`,
      },
    })
  } catch (error) {
    return createRefusedFileResponse(ctx, error)
  }
}

/** A pull-based stream of the chunks; cancelling it stops the generator. */
function toFileStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}
