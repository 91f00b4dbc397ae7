import { createHash, randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type ContentLanguage } from '#app/lib/languages.ts'
import { deriveId, isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import { hashReceiptCode, deriveReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { recordSurveyAudit } from '../managing/editing.server.ts'
import { type Arrival, storeResponse, storeTogether } from '../responses/intake.server.ts'
import { type PlacedSurvey, requireSurveyFor } from '../surveys.policy.server.ts'
import { listQuotaPlaces } from '../responses/quotas.server.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import { loadVersion, resolveForDay } from '../questionnaire/versions.server.ts'
import type { PaperResponse, ResponseTableInput, ResponseTableReport } from './entry.schema.ts'
import { acceptAnswers, type ReadTable, type TableToRead } from './read-table.server.ts'

interface EntrySurvey {
  placed: PlacedSurvey
  version: number
  definition: Definition
}

/** The survey, if the viewer may add responses to it: its editors. It may be closed, since paper arrives late. */
async function requireEntrySurvey(ctx: Ctx, tx: Tx, surveyId: string): Promise<EntrySurvey> {
  const placed = await requireSurveyFor(ctx, tx, 'responses.see', surveyId)
  requirePermission(ctx, 'projects.edit', toPermissionTarget(placed.project))
  const version = placed.survey.publishedVersion
  if (version === null) throw new AppError('not-published')
  return { placed, version, definition: await loadVersion(tx, ctx.site.id, surveyId, version) }
}

/**
 * Stores a response given on paper. Blank answers stay blank, even if the question is required.
 * @throws {AppError} `not-found`, `forbidden`, `not-published`, `quota-full`; `invalid` with a fault for each answer (`/answers/<question
 * id>`)
 */
export async function storePaperResponse(ctx: Ctx, input: PaperResponse): Promise<void> {
  const { entry, given } = await ctx.db.read(async (tx) => {
    const found = await requireEntrySurvey(ctx, tx, input.survey)
    return { entry: found, given: acceptAnswers(resolveForDay(ctx, found.definition), input.answers, input.id) }
  })
  const faults = [...given.faults]
  if (faults.length === 0 && Object.keys(given.answers).length === 0) faults.push({ code: 'required' })
  if (faults.length > 0)
    throw new AppError('invalid', { faults: faults.map((fault) => ({ ...fault, pointer: `/answers${fault.pointer ?? ''}` })) })
  const { id, sendKey, language } = input
  const row = { answers: given.answers, id, sendKey, language, source: 'paper', submittedAt: ctx.now() }
  if ((await storeResponse(ctx.runtime.database, createArrival(ctx, entry, row))) === 'before') return
  await ctx.db.tx((tx) => recordSurveyAudit(ctx, tx, entry.placed, 'responses.paper', { response: id }))
}

/** @throws {AppError} `unauthenticated`, `not-found`, `forbidden`, `not-published` */
export async function assertMayAddResponses(ctx: Ctx, surveyId: string): Promise<void> {
  if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (!isId(surveyId)) throw new AppError('not-found')
  await ctx.db.read((tx) => requireEntrySurvey(ctx, tx, surveyId))
}

/**
 * Reads a file of responses in a separate process: a table, or our own JSON. Without columns it previews the file; with them it stores every
 * row, or none and reports why. Rows that an earlier import stored are not stored again.
 * @throws {AppError} `not-found`, `forbidden`, `not-published`, `quota-full`; `invalid` with `unreadable-file`, `too-many` or
 * `file-too-complex` at `/file`; `unavailable` if too many files are waiting
 */
export async function importResponses(ctx: Ctx, input: ResponseTableInput): Promise<ResponseTableReport> {
  const entry = await ctx.db.read((tx) => requireEntrySurvey(ctx, tx, input.survey))
  const given: TableToRead = {
    text: input.text,
    columns: input.columns,
    definition: entry.definition,
    language: ctx.language,
    locale: ctx.site.locale,
    languages: ctx.site.languages,
    timeZone: ctx.site.timeZone,
    now: ctx.now(),
  }
  const { report, rows } = await readInOwnProcess<ReadTable>('response-table', given, ctx.site.id)
  if (rows.length === 0) return report
  const file = createHash('sha256').update(input.text).digest('hex')
  const named = rows.map(({ number, origin, ...row }) => ({ row, origin, id: deriveId(origin || `${file}:${number}`, input.survey) }))
  return ctx.db.tx(async (tx) => {
    // Check again, since reading took time: the sender may have lost the permission, or the survey may be gone.
    const { placed } = await requireEntrySurvey(ctx, tx, input.survey)
    await lockSurvey(ctx, tx, input.survey)
    // A row is known by the id that it got when it was imported or, in a file exported from this survey, by its own.
    const known = await listStoredIds(ctx, tx, input.survey, [
      ...named.map(({ id }) => id),
      ...named.map(({ origin }) => origin).filter(isId),
    ])
    const fresh = named.filter(({ id, origin }) => !known.has(id) && !known.has(origin))
    if (fresh.length > 0) {
      await storeTogether(
        tx,
        ctx.site.id,
        fresh.map(({ row, id }) =>
          createArrival(ctx, entry, { ...row, id, sendKey: randomBytes(16).toString('base64url'), source: 'import' }),
        ),
      )
      await recordSurveyAudit(ctx, tx, placed, 'responses.import', { responses: fresh.length })
    }
    return { ...report, stored: fresh.length, existing: named.length - fresh.length }
  })
}

/** Two imports of the same file at once: the second waits, and finds what the first has stored. Answers of participants do not wait. */
const lockSurvey = (ctx: Ctx, tx: Tx, surveyId: string) =>
  tx
    .select({ id: surveys.id })
    .from(surveys)
    .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId)))
    .for('no key update')

async function listStoredIds(ctx: Ctx, tx: Tx, surveyId: string, ids: readonly string[]): Promise<Set<string>> {
  const found = await tx.execute<{ id: string }>(sql`
    select id from ${responses}
    where site_id = ${ctx.site.id} and survey_id = ${surveyId}
      and id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`)
  return new Set(found.rows.map(({ id }) => id))
}

function createArrival(
  ctx: Ctx,
  { placed: { survey, project }, version, definition }: EntrySurvey,
  { sendKey, ...given }: { id: string; sendKey: string; language: ContentLanguage; source: string; submittedAt: Date; answers: Answers },
): Arrival {
  const code = deriveReceiptCode(ctx.runtime.secret, ctx.site.id, given.id, sendKey)
  return {
    row: {
      ...given,
      siteId: ctx.site.id,
      surveyId: survey.id,
      version,
      userId: null,
      seconds: null,
      receiptHash: hashReceiptCode(ctx.site.id, code),
    },
    projectId: project.id,
    personHashes: [],
    origin: undefined,
    places: listQuotaPlaces(resolveForDay(ctx, definition, given.submittedAt), given.answers),
  }
}
