import * as v from 'valibot'
import { assertHarmless } from '#app/features/media/assert-harmless.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { withUploadedFile } from '#app/server/uploaded-file.ts'
import { LARGEST_TABLE } from './entry.schema.ts'
import { assertMayAddResponses, importResponses } from './entry.server.ts'

const RESPONSE_HEADERS = { 'cache-control': 'private, no-store', 'content-type': 'application/json' }
/** For the parts of a form around its file: the columns. */
const FORM_MARGIN_BYTES = 500_000

interface UploadedTable {
  context: RequestContext
  params: { survey: string }
  request: Request
}

/**
 * Upload of a file of responses: a form with `file` and, to import it rather than preview it, `columns` as JSON. Permission is checked before
 * any of the form is read. Answers with the report, or an error with its `code` and its `title` in the reader's language.
 */
export async function uploadResponses({ context: { ctx }, params, request }: UploadedTable): Promise<Response> {
  try {
    await assertMayAddResponses(ctx, params.survey)
    const report = await importResponses(ctx, { survey: params.survey, ...(await readUpload(ctx, params.survey, request)) })
    return Response.json(report, { headers: RESPONSE_HEADERS })
  } catch (error) {
    if (!isAppError(error)) throw error
    const fault = error.faults[0] ?? { code: error.code }
    const title = getTranslator(ctx.language, 'errors')(...toFaultTitle(fault))
    return Response.json({ error: { code: fault.code, title } }, { status: error.status, headers: RESPONSE_HEADERS })
  }
}

const readUpload = (ctx: Ctx, survey: string, request: Request): Promise<{ text: string; columns: string[] | undefined }> =>
  withUploadedFile(request, { fileBytes: LARGEST_TABLE, fieldBytes: FORM_MARGIN_BYTES }, async (file, fields) => {
    if (file.bytes > LARGEST_TABLE || file.isCut) throw new AppError('too-large')
    const bytes = await file.read()
    await assertHarmless(ctx, bytes, { subject: { type: 'surveys', id: survey } })
    return { text: bytes.toString('utf8'), columns: readColumns(fields.get('columns')) }
  })

const columnsSchema = v.pipe(v.string(), v.parseJson(), v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(2000))

function readColumns(sent: string | undefined): string[] | undefined {
  if (sent === undefined) return undefined
  const parsed = v.safeParse(columnsSchema, sent)
  if (!parsed.success) throw new AppError('bad-request')
  return parsed.output
}
