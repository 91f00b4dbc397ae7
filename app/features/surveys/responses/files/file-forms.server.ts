import { and, eq } from 'drizzle-orm'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import type { FormFile } from '#app/server/multipart.ts'
import type { FormBounds, Submission, FileBounds } from '#app/server/forms.ts'
import { MAX_MEGABYTES } from '#app/features/surveys/questionnaire/question-types/files/file-kinds.ts'
import { FILE_FORM, NEW_FILES_PART, type SentFile, TAKE_BACK_FORM } from '#app/features/surveys/questionnaire/question-types/files/files.ts'
import { buildFieldName } from '#app/features/surveys/questionnaire/field-names.ts'
import { ANSWERS_BOUNDS } from '#app/features/surveys/questionnaire/answer-limits.ts'
import type { PlacedSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { MAX_GIVEN_FILES } from './files.limits.ts'
import { assertMayGiveTo, type ReadGuestCredentials, keepFile, canBringFiles } from './keep-file.server.ts'
import { takeFileBack } from './response-files.server.ts'

/** Bounds of a survey form without its files. */
export const ANSWER_FORM_BOUNDS: FormBounds = { bytes: ANSWERS_BOUNDS.bytes, fields: ANSWERS_BOUNDS.values }

/** One byte above the limit, so that an oversized file is recognised as such. */
const FILE_BOUNDS: FileBounds = { files: MAX_GIVEN_FILES, fileBytes: MAX_MEGABYTES * 1_000_000 + 1 }

/** The bounds for files: undefined if the sender may not answer. Checked before the form is read. */
export const findFileBounds = async (...survey: Parameters<typeof canBringFiles>): Promise<FileBounds | undefined> =>
  (await canBringFiles(...survey)) ? FILE_BOUNDS : undefined

interface FileSubmission {
  find: (tx: Tx) => Promise<PlacedSurvey>
  sending: Sending
  version: number | undefined
  broughtTo: ReadGuestCredentials
}

const keepFormFile = (
  { ctx }: Submission,
  { find, broughtTo, ...taking }: FileSubmission,
  question: string,
  file: FormFile,
): Promise<SentFile> => keepFile(ctx, find, broughtTo, { ...taking, question, ...file })

/**
 * Stores the files of a complete form and puts their ids into its fields, so that they survive if the form is refused for another reason.
 * @returns what is wrong with the files that were not stored
 * @throws {AppError} as `keepFile`, if none can be stored
 */
export async function takeFormFiles(submission: Submission, taking: FileSubmission): Promise<Fault[]> {
  const { values, files } = submission
  const faults: Fault[] = []
  for (const file of files) {
    const [, question] = /^q\.([^.]+)\.(\w+)$/.exec(file.field) ?? []
    if (!question || file.field !== buildFieldName(question, NEW_FILES_PART)) continue
    const name = buildFieldName(question)
    try {
      const kept = await keepFormFile(submission, taking, question, file)
      values[name] = [...[values[name] ?? []].flat(), JSON.stringify(kept)].filter(Boolean)
    } catch (error) {
      if (!isAppError(error, 'invalid')) throw error
      faults.push(...error.faults)
    }
  }
  // The same form, sent twice at once, was stored in the meantime.
  if (faults.length > 0 && (await isSent(submission.ctx, taking.sending))) return []
  return faults
}

const isSent = ({ db, site }: Submission['ctx'], { id }: Sending): Promise<boolean> =>
  db.read(async (tx) => {
    const rows = await tx
      .select({ id: responses.id })
      .from(responses)
      .where(and(eq(responses.siteId, site.id), eq(responses.id, id)))
    return rows.length > 0
  })

/** True for a single file that the page's script uploads early or removes, rather than a complete form. */
export const isFileForm = ({ values: { form } }: Submission): boolean => form === FILE_FORM || form === TAKE_BACK_FORM

/** Answers an early upload with JSON: `{ file }` as it appears in an answer, or `{ code, faults }`. */
export async function takeFileForm(submission: Submission, taking: FileSubmission): Promise<Response> {
  const { ctx, values, files } = submission
  const headers = { 'cache-control': 'no-store' }
  try {
    if (values['form'] === TAKE_BACK_FORM) {
      const { file } = values
      if (typeof file === 'string' && isId(file)) await takeFileBack(ctx, taking.sending, file)
      return new Response(null, { status: 204, headers })
    }
    const { question } = values
    const file = files.find(({ field }) => field === 'file')
    if (typeof question !== 'string') throw new AppError('bad-request')
    if (!file) {
      await assertMayGiveTo(ctx, taking.find, taking.broughtTo, { ...taking, question })
      throw new AppError('bad-request')
    }
    return Response.json({ file: await keepFormFile(submission, taking, question, file) }, { status: 201, headers })
  } catch (error) {
    if (!isAppError(error)) throw error
    const faults = error.faults.map(({ code, values: numbers }) => ({ code, ...(numbers && { values: numbers }) }))
    return Response.json({ code: error.code, faults }, { status: error.status, headers })
  }
}
