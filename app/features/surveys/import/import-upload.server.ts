import { isAppError, AppError } from '#app/lib/app-error.ts'
import { translator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { importSurvey } from './import.server.ts'
import { LARGEST_IMPORT } from './import.schema.ts'

const HEADERS = { 'cache-control': 'private, no-store', 'content-type': 'application/json' }
/** Of the parts of a form around its file. */
const MARGIN = 10_000

/**
 * The upload of a file that a survey is made from: a form with `project` and `file`. 201 with the report, or an error with its `code` and
 * its `title` in the reader's language.
 */
export async function uploadSurvey({ context: { ctx }, request }: { context: RequestContext; request: Request }): Promise<Response> {
  try {
    if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
    const { project, file } = await readUpload(request)
    const report = await importSurvey(ctx, { projectId: project, file: new Uint8Array(await file.arrayBuffer()), filename: file.name })
    return Response.json(report, { status: 201, headers: HEADERS })
  } catch (error) {
    if (!isAppError(error)) throw error
    const code = error.faults[0]?.code ?? error.code
    return Response.json(
      { error: { code, title: translator(ctx.language, 'errors')(`codes.${code}`) } },
      { status: error.status, headers: HEADERS },
    )
  }
}

/** Reads no more than a file may have, whatever the request says of its length. */
async function readUpload(request: Request): Promise<{ project: string; file: File }> {
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('multipart/form-data')) throw new AppError('unsupported-media-type')
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const piece of request.body ?? []) {
    bytes += piece.length
    if (bytes > LARGEST_IMPORT + MARGIN) throw new AppError('too-large')
    pieces.push(piece)
  }
  let form: FormData
  try {
    form = await new Response(new Blob(pieces), { headers: { 'content-type': type } }).formData()
  } catch {
    throw new AppError('bad-request')
  }
  const [project, file] = [form.get('project'), form.get('file')]
  if (typeof project !== 'string' || !(file instanceof File)) throw new AppError('bad-request')
  return { project, file }
}
