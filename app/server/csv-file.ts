import { stringify } from 'csv-stringify/sync'
import { isAppError } from '../lib/app-error.ts'
import type { Ctx } from './context.ts'
import { getTranslator } from './i18n.ts'

type Cell = string | number | boolean | null

/** So that a spreadsheet reads the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'
const HEADERS = { 'cache-control': 'private, no-store' }

/**
 * A CSV file as the answer to a link, made piece by piece as it is taken. Formulas are escaped.
 * @param open checks permission, notes the export, and gives name, heads and rows; an AppError becomes its status and text
 */
export async function createCsvResponse(
  ctx: Ctx,
  open: () => Promise<{ filename: string; heads: string[]; rows: AsyncGenerator<readonly Cell[][]> }>,
): Promise<Response> {
  try {
    const { filename, heads, rows } = await open()
    return new Response(toCsvStream(heads, rows), {
      headers: { ...HEADERS, 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${filename}"` },
    })
  } catch (error) {
    if (!isAppError(error)) throw error
    const text = getTranslator(ctx.language, 'errors')(`codes.${error.code}`)
    return new Response(text, { status: error.status, headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' } })
  }
}

const toCsv = (rows: readonly (readonly Cell[])[]) => stringify(rows as Cell[][], { escape_formulas: true, record_delimiter: 'windows' })

/** Who stops reading stops the making. */
function toCsvStream(heads: string[], rows: AsyncGenerator<readonly Cell[][]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(BYTE_ORDER_MARK + toCsv([heads]))),
    async pull(controller) {
      const { done, value } = await rows.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(toCsv(value)))
    },
    cancel: async () => void (await rows.return(undefined)),
  })
}
