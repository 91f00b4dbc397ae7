import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { countQuestions, listQuestions } from '../questionnaire/answers.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import { assertMayAddSurvey, createSurvey, recordSurveyAudit } from '../managing/editing.server.ts'
import { requireSurveyFor } from '../surveys.policy.server.ts'
import { type ImportReport, LARGEST_IMPORT } from './import.schema.ts'
import type { ReadSurvey, SurveyFile } from './read-survey-file.server.ts'

/**
 * Creates a draft survey from a file: our own JSON, SurveyJS, XLSForm or LimeSurvey, detected by content. It is parsed in a separate
 * process. An unreadable file leaves no trace.
 * @throws {AppError} `unauthenticated`, `forbidden`, `not-found` for the project; `too-large`; `invalid` with `unreadable-file` or
 * `file-too-complex` at `/file`; `unavailable` if too many files are waiting
 */
export async function importSurvey(ctx: Ctx, input: { projectId: string; file: Uint8Array; filename: string }): Promise<ImportReport> {
  await assertMayAddSurvey(ctx, input.projectId)
  if (input.file.length > LARGEST_IMPORT) throw new AppError('too-large', { pointer: '/file' })
  const { locale, languages } = ctx.site
  const given: SurveyFile = { file: input.file, locale, languages }
  const { format, imported, faults } = await readInOwnProcess<ReadSurvey>('survey-file', given, ctx.site.id)
  const { definition, notes } = imported
  const named = Object.keys(imported.title).length > 0
  const title = named ? imported.title : { [ctx.site.locale]: input.filename.replace(/\.[^.]*$/, '').slice(0, 200) || '…' }
  const surveyId = await createSurvey(ctx, {
    id: createId(),
    project: input.projectId,
    titleTranslations: title,
    introTranslations: imported.intro,
    thanksTranslations: imported.thanks,
    definition,
  })
  await ctx.db.tx(async (tx) => {
    const placed = await requireSurveyFor(ctx, tx, 'projects.edit', surveyId)
    await recordSurveyAudit(ctx, tx, placed, 'surveys.import', { format, notes: notes.length })
  })
  return {
    surveyId,
    title: getTranslation(title, ctx.language, ctx.site.locale),
    format,
    questions: countQuestions(listQuestions(definition)),
    notes,
    faults,
  }
}
