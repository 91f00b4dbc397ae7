import { BYTE_ORDER_MARK, type CsvCell, formatCsv } from '../lib/csv.ts'
import type { Ctx } from './context.ts'
import { createRefusedFileResponse } from './refused-file.ts'

const HEADERS = { 'cache-control': 'private, no-store' }

/**
 * A CSV file as a download, streamed piece by piece. Formulas are escaped.
 * @param open checks permission, records the export and returns name, heads and rows; an AppError becomes its status and text
 */
export async function createCsvResponse(
  ctx: Ctx,
  open: () => Promise<{ filename: string; heads: string[]; rows: AsyncGenerator<readonly CsvCell[][]> }>,
): Promise<Response> {
  try {
    const { filename, heads, rows } = await open()
    return new Response(toCsvStream(heads, rows), {
      headers: { ...HEADERS, 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${filename}"` },
    })
  } catch (error) {
    return createRefusedFileResponse(ctx, error)
  }
}

/** Cancelling the stream stops the generator. */
function toCsvStream(heads: string[], rows: AsyncGenerator<readonly CsvCell[][]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(BYTE_ORDER_MARK + formatCsv([heads]))),
    async pull(controller) {
      const { done, value } = await rows.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(formatCsv(value)))
    },
    cancel: async () => void (await rows.return(undefined)),
  })
}
