import { and, eq } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { listContentLanguages } from '#app/lib/languages.ts'
import { BYTE_ORDER_MARK, formatCsvLine } from '#app/lib/csv.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { surveyImports, surveys } from '#app/server/db/schema/surveys.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { assertMayAddSurvey, createSurvey, recordSurveyAudit } from '../managing/editing.server.ts'
import { OWN_FORMAT } from '../export/own-format.schema.ts'
import { requireSurveyFor } from '../surveys.policy.server.ts'
import { fitSettings } from './fit-settings.server.ts'
import {
  countOutcomes,
  type ImportedElement,
  type ImportResult,
  type LanguageChoices,
  type LanguagesToChoose,
  LARGEST_IMPORT,
  LARGEST_OWN_IMPORT,
  type StoredImportReport,
} from './import.schema.ts'
import type { ReadSurvey, SurveyFile } from './read-survey-file.server.ts'

interface ImportInput {
  projectId: string
  file: Uint8Array
  filename: string
  choices: LanguageChoices
}

/**
 * Creates a draft survey from a file: our own JSON, SurveyJS, XLSForm or LimeSurvey, detected by content. It is parsed in a separate
 * process. An unreadable file leaves no trace. Its report is kept with the survey.
 * @returns the languages to choose for, if the file has some that the site lacks and that `choices` does not name; nothing is created then
 * @throws {AppError} `unauthenticated`, `forbidden`, `not-found` for the project; `too-large`; `invalid` with `unreadable-file` or
 * `file-too-complex` at `/file`; `unavailable` if too many files are waiting
 */
export async function importSurvey(ctx: Ctx, input: ImportInput): Promise<ImportResult | LanguagesToChoose> {
  await assertMayAddSurvey(ctx, input.projectId)
  const largest = isOwnFile(input.file) ? LARGEST_OWN_IMPORT : LARGEST_IMPORT
  if (input.file.length > largest) throw new AppError('too-large', { pointer: '/file' })
  const { locale } = ctx.site
  const languages = listContentLanguages(ctx.site)
  const given: SurveyFile = { file: input.file, locale, languages, choices: input.choices }
  const { format, imported, faults } = await readInOwnProcess<ReadSurvey>('survey-file', given, ctx.site.id)
  if (imported.languages.length > 0) return { languages: imported.languages, hasSiteLanguage: imported.hasSiteLanguage }
  const named = Object.keys(imported.title).length > 0
  const title = named ? imported.title : { [locale]: input.filename.replace(/\.[^.]*$/, '').slice(0, 200) || '…' }
  const { settings, notes } = await fitSettings(ctx, input.projectId, imported.settings ?? {})
  const surveyId = await createSurvey(ctx, {
    ...settings,
    id: createId(),
    project: input.projectId,
    titleTranslations: title,
    introTranslations: imported.intro,
    thanksTranslations: imported.thanks,
    definition: imported.definition,
  })
  const { moreNotes } = imported
  const elements = addSurveyNotes(imported.elements, notes)
  const report: StoredImportReport = { format, filename: input.filename.slice(0, 200), elements, moreNotes }
  await ctx.db.tx(async (tx) => {
    const placed = await requireSurveyFor(ctx, tx, 'projects.edit', surveyId)
    await tx.insert(surveyImports).values({ siteId: ctx.site.id, surveyId, format, report, createdAt: ctx.now() })
    await tx
      .update(surveys)
      .set({ importedFrom: format })
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
    await recordSurveyAudit(ctx, tx, placed, 'surveys.import', { format, ...countOutcomes(elements) })
  })
  return { surveyId, faults }
}

/** Whether the file says at its beginning that it is in our own format: it may hold many answers, which are not imported with the survey. */
const isOwnFile = (file: Uint8Array): boolean => Buffer.from(file.subarray(0, 200)).includes(`"${OWN_FORMAT}"`)

function addSurveyNotes(elements: readonly ImportedElement[], notes: ImportedElement['notes']): ImportedElement[] {
  if (notes.length === 0) return [...elements]
  const [survey, ...others] = elements
  const first = survey?.kind === 'survey' ? survey : undefined
  const noted: ImportedElement = {
    kind: 'survey',
    at: '',
    type: '',
    became: [],
    ...first,
    outcome: 'changed',
    notes: [...(first?.notes ?? []), ...notes],
  }
  return first ? [noted, ...others] : [noted, ...elements]
}

/** What became of the file that the survey was created from. @throws {AppError} `not-found`, `forbidden` */
export function loadImportReport(ctx: Ctx, surveyId: string): Promise<StoredImportReport> {
  return ctx.db.read(async (tx) => {
    await requireSurveyFor(ctx, tx, 'projects.edit', surveyId)
    const [found] = await tx
      .select({ report: surveyImports.report })
      .from(surveyImports)
      .where(and(eq(surveyImports.siteId, ctx.site.id), eq(surveyImports.surveyId, surveyId)))
    if (!found) throw new AppError('not-found')
    return found.report as StoredImportReport
  })
}

/** The report as a table (CSV): a line for each part of the file that was carried over, and for each note. */
export function downloadImportReport({
  context: { ctx },
  params,
}: {
  context: RequestContext
  params: { survey: string }
}): Promise<Response> {
  return createFileResponse(ctx, async () => {
    const report = await loadImportReport(ctx, params.survey)
    return { filename: 'import-report.csv', type: 'text/csv; charset=utf-8', pieces: streamReport(ctx, report) }
  })
}

async function* streamReport(ctx: Ctx, { elements }: StoredImportReport): AsyncGenerator<Uint8Array> {
  const t = getTranslator(ctx.language, 'survey-data')
  const heads = ['part', 'where', 'type', 'outcome', 'became', 'what'] as const
  const lines = elements.flatMap(({ kind, at, type, outcome, notes }) =>
    (notes.length > 0 ? notes : [undefined]).map((note) => [
      t(`import.kinds.${kind}`),
      at,
      type,
      t(`import.outcomes.${outcome}`),
      note ? t(`import.codes.${note.code}`) : '',
      note?.what ?? '',
    ]),
  )
  yield Buffer.from(BYTE_ORDER_MARK + [heads.map((head) => t(`import.${head}`)), ...lines].map(formatCsvLine).join(''))
}
