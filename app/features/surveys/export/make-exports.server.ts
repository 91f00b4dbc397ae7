import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { and, eq } from 'drizzle-orm'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { surveyExports } from '#app/server/db/schema/results.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { countWaitingWork, runLeasedWork, SupersededError, updateLeased } from '#app/server/jobs/leased-work.ts'
import type { Runtime } from '#app/server/runtime.ts'
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
    const plan = await ctx.db.read(async (tx) => {
      const [survey] = await tx
        .select()
        .from(surveys)
        .where(and(eq(surveys.siteId, site.id), eq(surveys.id, row.surveyId)))
      return survey && loadExportPlan(ctx, tx, survey, row.personal, row.createdAt)
    })
    if (!plan) throw new SupersededError()
    let reportedAt = Date.now()
    let bytes = 0
    const pieces = streamExport(ctx, plan, row.format, async (done) => {
      if (Date.now() - reportedAt < PROGRESS_THROTTLE_MS) return
      reportedAt = Date.now()
      await updateLeased(ctx, surveyExports, row, { done, aliveAt: runtime.now() })
    })
    async function* countBytes() {
      for await (const piece of pieces) {
        bytes += piece.length
        yield piece
      }
    }
    await pipeline(Readable.from(countBytes(), { objectMode: false }), createWriteStream(unfinished, { mode: 0o600 }))
    const finished = { state: 'done', done: row.total, bytes, finishedAt: runtime.now() } as const
    await updateLeased(ctx, surveyExports, row, finished, () => rename(unfinished, path))
  } finally {
    await rm(unfinished, { force: true })
  }
}
