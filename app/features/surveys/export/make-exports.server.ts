import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { and, eq } from 'drizzle-orm'
import { addSiteMark } from '#app/features/appearance/document-mark.server.ts'
import { streamCodes } from '#app/features/heard/export-codes.server.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { type StoredReport, surveyExports } from '#app/server/db/schema/results.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { makeDocument } from '#app/server/documents/make-document.server.ts'
import { countWaitingWork, runLeasedWork, SupersededError, updateLeased } from '#app/server/jobs/leased-work.ts'
import { readFromStandby } from '#app/server/read-from-standby.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { yieldOnce } from '#app/server/yield-once.ts'
import { isExportFormat, REPORT_STEPS } from './export.schema.ts'
import { streamExport, loadExportPlan } from './export-responses.server.ts'
import { buildExportFolder, buildExportPath } from './exports.server.ts'

type ExportRow = typeof surveyExports.$inferSelect

const PROGRESS_THROTTLE_MS = 500

/**
 * Makes the requested files of every site. Run by a job.
 * @param deadAfterMs without a heartbeat for this long, a worker is considered dead
 * @returns how many were made
 */
export const makeExports = (runtime: Runtime, deadAfterMs?: number): Promise<number> =>
  runLeasedWork(
    runtime,
    { table: surveyExports, failure: 'an export could not be made', start: () => ({ done: 0 }), make: makeExport },
    deadAfterMs,
  )

/** Number of sites with a file waiting to be made. */
export const countWaitingExports = (runtime: Runtime): Promise<number> => countWaitingWork(runtime, surveyExports)

async function makeExport({ runtime, site }: Ctx, row: ExportRow): Promise<void> {
  const ctx = createCtx(runtime, site, { language: row.language })
  const path = buildExportPath(runtime, row)
  // Unique per attempt: a worker wrongly considered dead writes to a different file.
  const unfinished = `${path}.${crypto.randomUUID()}`
  try {
    await mkdir(buildExportFolder(runtime, site.id), { recursive: true, mode: 0o700 })
    const bytes = await readFromStandby(ctx, (reading) => writePieces(ctx, reading, row, unfinished))
    const finished = { state: 'done', done: row.total, bytes, finishedAt: runtime.now() } as const
    await updateLeased(ctx, surveyExports, row, finished, () => rename(unfinished, path))
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** @param reading where the content is read from; progress is recorded with `ctx` @returns the size of the file, in bytes */
async function writePieces(ctx: Ctx, reading: Ctx, row: ExportRow, path: string): Promise<number> {
  const pieces = await openPieces(ctx, reading, row)
  let bytes = 0
  async function* countBytes() {
    for await (const piece of pieces) {
      bytes += piece.length
      yield piece
    }
  }
  await pipeline(Readable.from(countBytes(), { objectMode: false }), createWriteStream(path, { mode: 0o600 }))
  return bytes
}

/** The file in pieces, with its progress recorded. @throws {SupersededError} if its survey was deleted */
async function openPieces(ctx: Ctx, reading: Ctx, row: ExportRow): Promise<AsyncIterable<Uint8Array>> {
  const { surveyId, format, report } = row
  if (report?.codes) return streamCodes(reading, report.codes.project)
  if (report) return typesetReport(ctx, row, report)
  const plan = await reading.db.read(async (tx) => {
    const [survey] = await tx
      .select()
      .from(surveys)
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId ?? '')))
    return survey && loadExportPlan(reading, tx, survey, row.personal, row.createdAt)
  })
  if (!plan || !isExportFormat(format)) throw new SupersededError()
  let reportedAt = Date.now()
  return streamExport(reading, plan, format, async (done) => {
    if (Date.now() - reportedAt < PROGRESS_THROTTLE_MS) return
    reportedAt = Date.now()
    await updateLeased(ctx, surveyExports, row, { done, aliveAt: ctx.now() })
  })
}

/** Figures are counted before, so that the file has what its reader saw: typesetting and storing are left. */
async function typesetReport(ctx: Ctx, row: ExportRow, { content }: StoredReport): Promise<AsyncIterable<Uint8Array>> {
  if (!content) throw new SupersededError()
  await updateLeased(ctx, surveyExports, row, { done: REPORT_STEPS.figures, aliveAt: ctx.now() })
  const file = await makeDocument(ctx.site.id, 'pdf', await addSiteMark(ctx, content))
  await updateLeased(ctx, surveyExports, row, { done: REPORT_STEPS.typeset, aliveAt: ctx.now() })
  return yieldOnce(file)
}
