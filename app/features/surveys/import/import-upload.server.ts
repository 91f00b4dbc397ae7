import * as v from 'valibot'
import { assertHarmless } from '#app/features/media/assert-harmless.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { languageSchema } from '#app/lib/language-schema.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { withUploadedFile } from '#app/server/uploaded-file.ts'
import { assertMayAddSurvey } from '../managing/editing.server.ts'
import { importSurvey } from './import.server.ts'
import { type LanguageChoices, LARGEST_OWN_IMPORT } from './import.schema.ts'

const RESPONSE_HEADERS = { 'cache-control': 'private, no-store', 'content-type': 'application/json' }
/** For the parts of a form around its file. */
const FORM_MARGIN_BYTES = 10_000

/**
 * Upload of a file to create a survey from: a form with `file` and, if the file has languages that the site lacks, `languages` as JSON; the
 * project is in the query string. Permission is checked before any of the form is read. 201 with the survey, 200 with the languages to choose
 * for, or an error with its `code` and its `title` in the reader's language.
 */
export async function uploadSurvey({ context: { ctx }, request }: { context: RequestContext; request: Request }): Promise<Response> {
  try {
    const projectId = new URL(request.url).searchParams.get('project') ?? ''
    await assertMayAddSurvey(ctx, projectId)
    const result = await importSurvey(ctx, { projectId, ...(await readUpload(ctx, projectId, request)) })
    return Response.json(result, { status: 'surveyId' in result ? 201 : 200, headers: RESPONSE_HEADERS })
  } catch (error) {
    if (!isAppError(error)) throw error
    const code = error.faults[0]?.code ?? error.code
    return Response.json(
      { error: { code, title: getTranslator(ctx.language, 'errors')(`codes.${code}`) } },
      { status: error.status, headers: RESPONSE_HEADERS },
    )
  }
}

const readUpload = (
  ctx: Ctx,
  projectId: string,
  request: Request,
): Promise<{ file: Uint8Array; filename: string; choices: LanguageChoices }> =>
  withUploadedFile(request, { fileBytes: LARGEST_OWN_IMPORT, fieldBytes: FORM_MARGIN_BYTES }, async (file, fields) => {
    const bytes = await file.read()
    await assertHarmless(ctx, bytes, { projectId })
    return { file: new Uint8Array(bytes), filename: file.name, choices: readChoices(fields.get('languages')) }
  })

const choicesSchema = v.record(v.string(), v.union([languageSchema, v.literal('')]))

function readChoices(sent: string | undefined): LanguageChoices {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), choicesSchema), sent ?? '{}')
  if (!parsed.success) throw new AppError('bad-request')
  return parsed.output
}
