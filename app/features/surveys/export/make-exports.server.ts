import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { and, asc, eq, inArray, isNull, lt, or } from 'drizzle-orm'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { type StoredReport, surveyExports } from '#app/server/db/schema/results.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { makeDocument } from '#app/server/documents/make-document.server.ts'
import { describeError } from '#app/server/log.ts'
import type { Tx } from '#app/server/db/client.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { keepLeaseAliveDuring } from '#app/server/keep-lease-alive.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { yieldOnce } from '#app/server/yield-once.ts'
import { isExportFormat, REPORT_STEPS } from './export.schema.ts'
import { streamExport, loadExportPlan } from './export-responses.server.ts'
import { buildExportFolder, buildExportPath } from './exports.server.ts'

type ExportRow = typeof surveyExports.$inferSelect

/** Without a heartbeat for this long, a worker is considered dead and another starts its file again. */
const LEASE_MS = 60_000
const HEARTBEATS_PER_LEASE = 3
const PROGRESS_THROTTLE_MS = 500

/** The export was cancelled, or its worker was considered dead. */
class SupersededError extends Error {}

/**
 * Makes the requested files of every site, one after the other. Run by a job.
 * @param deadAfterMs without a heartbeat for this long, a worker is considered dead
 * @returns how many were made
 */
export function makeExports(runtime: Runtime, deadAfterMs = LEASE_MS): Promise<number> {
  return runOnEachSite(runtime, async ({ site }) => {
    let made = 0
    for (let row = await claimExport(runtime, site, deadAfterMs); row; row = await claimExport(runtime, site, deadAfterMs)) {
      const file = row
      // Heartbeats continue while it waits for a long page, or assembles a whole table.
      const sendHeartbeat = () => updateRunningExport(createCtx(runtime, site), file, { aliveAt: runtime.now() })
      if (await keepLeaseAliveDuring(deadAfterMs / HEARTBEATS_PER_LEASE, sendHeartbeat, () => makeExport(runtime, site, file))) made += 1
    }
    return made
  })
}

/** Number of sites with a file waiting to be made. */
export const countWaitingExports = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, ({ site, db }) =>
    db.read(async (tx) => (await selectUnclaimed(tx, site, runtime.now(), LEASE_MS).limit(1)).length),
  )

/** Files of the site that no worker holds. */
function selectUnclaimed(tx: Tx, site: Site, now: Date, deadAfterMs: number) {
  const free = or(
    eq(surveyExports.state, 'waiting'),
    and(eq(surveyExports.state, 'running'), lt(surveyExports.aliveAt, new Date(now.getTime() - deadAfterMs))),
  )
  return tx
    .select({ id: surveyExports.id })
    .from(surveyExports)
    .where(and(eq(surveyExports.siteId, site.id), free))
    .orderBy(asc(surveyExports.createdAt))
}

/** Claims the oldest of them. */
function claimExport(runtime: Runtime, site: Site, deadAfterMs: number): Promise<ExportRow | undefined> {
  const now = runtime.now()
  return runtime.database.site(site.id).tx(async (tx) => {
    const due = await selectUnclaimed(tx, site, now, deadAfterMs).limit(1).for('update', { skipLocked: true })
    const [row] = await tx
      .update(surveyExports)
      .set({ state: 'running', aliveAt: now, lease: crypto.randomUUID(), done: 0 })
      .where(
        and(
          eq(surveyExports.siteId, site.id),
          inArray(
            surveyExports.id,
            due.map(({ id }) => id),
          ),
        ),
      )
      .returning()
    return row
  })
}

async function makeExport(runtime: Runtime, site: Site, row: ExportRow): Promise<boolean> {
  const ctx = createCtx(runtime, site, { language: row.language })
  const path = buildExportPath(runtime, row)
  // Unique per attempt: a worker wrongly considered dead writes to a different file.
  const unfinished = `${path}.${crypto.randomUUID()}`
  try {
    await mkdir(buildExportFolder(runtime, site.id), { recursive: true, mode: 0o700 })
    const pieces = await openPieces(ctx, row)
    let bytes = 0
    async function* countBytes() {
      for await (const piece of pieces) {
        bytes += piece.length
        yield piece
      }
    }
    await pipeline(Readable.from(countBytes(), { objectMode: false }), createWriteStream(unfinished, { mode: 0o600 }))
    const finished = { state: 'done', done: row.total, bytes, finishedAt: runtime.now() } as const
    await updateRunningExport(ctx, row, finished, () => rename(unfinished, path))
    return true
  } catch (error) {
    await rm(unfinished, { force: true })
    if (error instanceof SupersededError) return false
    runtime.log.error('an export could not be made', { export: row.id, ...describeError(error) })
    await updateRunningExport(ctx, row, { state: 'failed', finishedAt: runtime.now() }).catch(() => {})
    return false
  }
}

/** The file in pieces, with its progress recorded. @throws {SupersededError} if its survey was deleted */
async function openPieces(ctx: Ctx, row: ExportRow): Promise<AsyncIterable<Uint8Array>> {
  const { surveyId, format, report } = row
  if (report) return typesetReport(ctx, row, report)
  const plan = await ctx.db.read(async (tx) => {
    const [survey] = await tx
      .select()
      .from(surveys)
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, surveyId ?? '')))
    return survey && loadExportPlan(ctx, tx, survey, row.personal, row.createdAt)
  })
  if (!plan || !isExportFormat(format)) throw new SupersededError()
  let reportedAt = Date.now()
  return streamExport(ctx, plan, format, async (done) => {
    if (Date.now() - reportedAt < PROGRESS_THROTTLE_MS) return
    reportedAt = Date.now()
    await updateRunningExport(ctx, row, { done, aliveAt: ctx.now() })
  })
}

/** Figures are counted before, so that the file has what its reader saw: typesetting and storing are left. */
async function typesetReport(ctx: Ctx, row: ExportRow, { content }: StoredReport): Promise<AsyncIterable<Uint8Array>> {
  await updateRunningExport(ctx, row, { done: REPORT_STEPS.figures, aliveAt: ctx.now() })
  const file = await makeDocument(ctx.site.id, 'pdf', content)
  await updateRunningExport(ctx, row, { done: REPORT_STEPS.typeset, aliveAt: ctx.now() })
  return yieldOnce(file)
}

/**
 * @param andThen done while the row is locked; if it fails, nothing is updated
 * @throws {SupersededError} if it was cancelled in the meantime, has expired, or another worker has started it again
 */
async function updateRunningExport(
  ctx: Ctx,
  row: ExportRow,
  values: Partial<typeof surveyExports.$inferInsert>,
  andThen?: () => Promise<void>,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const updated = await tx
      .update(surveyExports)
      .set(values)
      .where(
        and(
          eq(surveyExports.siteId, ctx.site.id),
          eq(surveyExports.id, row.id),
          eq(surveyExports.state, 'running'),
          row.lease === null ? isNull(surveyExports.lease) : eq(surveyExports.lease, row.lease),
        ),
      )
      .returning({ id: surveyExports.id })
    if (updated.length === 0) throw new SupersededError()
    await andThen?.()
  })
}
