import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, count, desc, eq, getTableColumns, gt, inArray, lte, or, sql } from 'drizzle-orm'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { requireDownloadReason } from '#app/features/audit/audit.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { isId, createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveyExports } from '#app/server/db/schema/results.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { createFileResponse, type DownloadFile } from '#app/server/file-response.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { ExportFormat } from './export.schema.ts'
import { countForExport, type ExportInput, describeFile, recordExport, requireExportableSurvey } from './export-responses.server.ts'
import type { exportShape } from './exports.api.schema.ts'

const KEPT_DAYS = 7
const DAY_MS = 86_400_000

/** When a file that is asked for now is deleted. */
export const computeExpiry = (now: Date): Date => new Date(now.getTime() + KEPT_DAYS * DAY_MS)

type ExportRow = typeof surveyExports.$inferSelect

/** An export of responses, with its survey's slug. */
export interface ExportRecord extends Omit<ExportRow, 'surveyId' | 'format' | 'report'> {
  surveyId: string
  format: ExportFormat
  slug: string
}

/** Where a site's files are kept until they expire. */
export const buildExportFolder = (runtime: Runtime, siteId: string): string => join(runtime.env.DATA_DIR, 'exports', siteId)
export const buildExportPath = (runtime: Runtime, { siteId, id }: Pick<ExportRow, 'siteId' | 'id'>): string =>
  join(buildExportFolder(runtime, siteId), id)

/**
 * Requests a file to be made in the background. Recorded in the audit trail.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `invalid` at `/reason` if personal data is asked for without one
 */
export async function requestExport(ctx: Ctx, { surveyId, format, personal, reason }: ExportInput & { reason?: string }): Promise<string> {
  const id = createId()
  const now = ctx.now()
  await ctx.db.tx(async (tx) => {
    const placed = await requireExportableSurvey(ctx, tx, { surveyId, personal })
    const why = personal ? requireReason(ctx, reason) : undefined
    await tx.insert(surveyExports).values({
      siteId: ctx.site.id,
      id,
      surveyId,
      reason: why ?? null,
      createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
      format,
      personal,
      language: ctx.language,
      total: await countForExport(ctx, tx, surveyId, now),
      createdAt: now,
      expiresAt: computeExpiry(now),
    })
    await recordExport(ctx, tx, placed, { personal, format, export: id }, why)
  })
  return id
}

/** @throws {AppError} `invalid` with `required` at `/reason` */
function requireReason(ctx: Ctx, reason: string | undefined): string {
  try {
    return requireDownloadReason(ctx, reason)
  } catch (error) {
    if (isAppError(error, 'reason-required')) throw new AppError('invalid', { faults: [{ code: 'reason-required', pointer: '/reason' }] })
    throw error
  }
}

/** Files of surveys whose responses the viewer may see; files with personal data only if they may export it. */
function whereVisible(ctx: Ctx) {
  const place = { hub: projects.hubId, project: projects.id }
  const named = scopeWhere(ctx.viewer, 'responses.export-personal', place)
  return and(
    eq(surveyExports.siteId, ctx.site.id),
    gt(surveyExports.expiresAt, ctx.now()),
    scopeWhere(ctx.viewer, 'responses.see', place),
    named && or(eq(surveyExports.personal, false), named),
  )
}

const { report: _report, ...columns } = getTableColumns(surveyExports)

const selectExports = (tx: Tx) =>
  tx
    .select({ ...columns, surveyId: surveys.id, format: sql<ExportFormat>`${surveyExports.format}`, slug: surveys.slug })
    .from(surveyExports)
    .innerJoin(surveys, and(eq(surveys.siteId, surveyExports.siteId), eq(surveys.id, surveyExports.surveyId)))
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))

export const loadExports = (ctx: Ctx, ids: readonly string[]): Promise<ExportRecord[]> =>
  ctx.db.read((tx) => selectExports(tx).where(and(whereVisible(ctx), inArray(surveyExports.id, [...ids]))))

export function listExports(ctx: Ctx, { filter, page }: ListQuery<typeof exportShape>): Promise<ListResult<ExportRecord>> {
  const where = and(whereVisible(ctx), filter.survey ? eq(surveyExports.surveyId, filter.survey) : undefined)
  return ctx.db.read(async (tx) => {
    const rows = await selectExports(tx)
      .where(where)
      .orderBy(desc(surveyExports.createdAt), desc(surveyExports.id))
      .limit(page.limit)
      .offset(page.offset)
    const [all] = await tx
      .select({ total: count() })
      .from(surveyExports)
      .innerJoin(surveys, and(eq(surveys.siteId, surveyExports.siteId), eq(surveys.id, surveyExports.surveyId)))
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(where)
    return { rows, total: all?.total ?? 0 }
  })
}

/** Cancels an export in progress, or deletes a finished file. */
export async function removeExport(ctx: Ctx, { id }: Pick<ExportRow, 'id'>): Promise<void> {
  await ctx.db.tx((tx) =>
    tx
      .update(surveyExports)
      .set({ state: 'cancelled', finishedAt: ctx.now(), expiresAt: ctx.now() })
      .where(and(eq(surveyExports.siteId, ctx.site.id), eq(surveyExports.id, id))),
  )
  await rm(buildExportPath(ctx.runtime, { siteId: ctx.site.id, id }), { force: true })
}

/**
 * A finished file, if the viewer may still have it. The download is recorded in the audit trail.
 * @throws {AppError} `not-found`, `forbidden`; `gone` if it was made on another machine, or no longer exists on this one
 */
export async function takeExport(ctx: Ctx, input: { surveyId: string; id: string }): Promise<DownloadFile> {
  if (!isId(input.id)) throw new AppError('not-found')
  const [row] = await loadExports(ctx, [input.id])
  if (!row || row.surveyId !== input.surveyId || row.state !== 'done') throw new AppError('not-found')
  const pieces = await openExportFile(ctx, row)
  await ctx.db.tx(async (tx) => {
    const placed = await requireExportableSurvey(ctx, tx, row)
    // Who asked for it has said why.
    const isOwn = ctx.viewer.kind === 'user' && row.createdBy === ctx.viewer.id
    const detail = { personal: row.personal, format: row.format, export: row.id, taken: true }
    await recordExport(ctx, tx, placed, detail, ctx.reason ?? (isOwn ? (row.reason ?? undefined) : undefined))
  })
  return { ...describeFile(row.slug, row, row.createdAt), pieces }
}

/** A finished file in pieces. @throws {AppError} `gone` if it was made on another machine, or no longer exists on this one */
export async function openExportFile(ctx: Ctx, row: Pick<ExportRow, 'siteId' | 'id'>): Promise<AsyncGenerator<Uint8Array>> {
  const path = buildExportPath(ctx.runtime, row)
  if (!(await stat(path).catch(() => undefined))) throw new AppError('gone')
  return readBytes(path)
}

async function* readBytes(path: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path)) yield chunk as Buffer
}

export const downloadExport = ({
  context: { ctx },
  params,
}: {
  context: RequestContext
  params: { survey: string; id: string }
}): Promise<Response> => createFileResponse(ctx, () => takeExport(ctx, { surveyId: params.survey, id: params.id }))

/** Deletes expired files and what crashed workers left behind, on every site. Run by a job. @returns how many expired */
export function expireExports(runtime: Runtime): Promise<number> {
  return runOnEachSite(runtime, async ({ site, db }) => {
    const gone = await db.tx((tx) =>
      tx
        .delete(surveyExports)
        .where(and(eq(surveyExports.siteId, site.id), lte(surveyExports.expiresAt, runtime.now())))
        .returning({ id: surveyExports.id }),
    )
    await Promise.all(gone.map(({ id }) => rm(buildExportPath(runtime, { siteId: site.id, id }), { force: true })))
    await removeLeftovers(buildExportFolder(runtime, site.id), runtime.now())
    return gone.length
  })
}

/** Deletes unfinished files that have not been written to for a day. */
async function removeLeftovers(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const path of names.filter((name) => name.includes('.')).map((name) => join(folder, name))) {
    const about = await stat(path).catch(() => undefined)
    if (about && about.mtimeMs < now.getTime() - DAY_MS) await rm(path, { force: true })
  }
}
