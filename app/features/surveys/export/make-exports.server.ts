import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { and, asc, eq, inArray, lt, or } from 'drizzle-orm'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { surveyExports, surveys } from '#app/server/db/schema.ts'
import { describeError } from '#app/server/log.ts'
import type { Tx } from '#app/server/db/client.ts'
import { onEachSite } from '#app/server/jobs/each-site.ts'
import { keepAliveDuring } from '#app/server/keep-alive.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { piecesOf, planOf } from './export-responses.server.ts'
import { exportFolder, exportPath } from './exports.server.ts'

type ExportRow = typeof surveyExports.$inferSelect

/** A process that was not heard of for so long has died over its file: another begins it anew. */
const DEAD_AFTER_MS = 60_000
const SIGNS_OF_LIFE = 3
const TELL_EVERY_MS = 500

/** Its maker was told to stop, or was taken for dead. */
class Superseded extends Error {}

/**
 * Makes the files that were asked for, of every site, one after the other. Run by a job.
 * @param deadAfterMs when a maker that is not heard of is taken for dead @returns how many were made
 */
export function makeExports(runtime: Runtime, deadAfterMs = DEAD_AFTER_MS): Promise<number> {
  return onEachSite(runtime, async ({ site }) => {
    let made = 0
    for (let row = await claim(runtime, site, deadAfterMs); row; row = await claim(runtime, site, deadAfterMs)) {
      const file = row
      // Also while it waits for a long page, or puts a whole table together.
      const tell = () => note(createCtx(runtime, site), file, { aliveAt: runtime.now() })
      if (await keepAliveDuring(deadAfterMs / SIGNS_OF_LIFE, tell, () => make(runtime, site, file))) made += 1
    }
    return made
  })
}

/** On how many sites a file waits to be made. */
export const countWaitingExports = (runtime: Runtime): Promise<number> =>
  onEachSite(runtime, ({ site, db }) => db.tx(async (tx) => (await selectFree(tx, site, runtime.now(), DEAD_AFTER_MS).limit(1)).length))

/** Files of the site that nobody works on. */
function selectFree(tx: Tx, site: Site, now: Date, deadAfterMs: number) {
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

/** Takes the oldest of them. */
function claim(runtime: Runtime, site: Site, deadAfterMs: number): Promise<ExportRow | undefined> {
  const now = runtime.now()
  return runtime.database.site(site.id).tx(async (tx) => {
    const due = await selectFree(tx, site, now, deadAfterMs).limit(1).for('update', { skipLocked: true })
    const [row] = await tx
      .update(surveyExports)
      .set({ state: 'running', aliveAt: now, done: 0 })
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

async function make(runtime: Runtime, site: Site, row: ExportRow): Promise<boolean> {
  const ctx = createCtx(runtime, site, { language: row.language })
  const path = exportPath(runtime, row)
  // Of this attempt alone: a maker that was taken for dead, and is not, writes elsewhere.
  const unfinished = `${path}.${crypto.randomUUID()}`
  try {
    await mkdir(exportFolder(runtime, site.id), { recursive: true, mode: 0o700 })
    const plan = await ctx.db.tx(async (tx) => {
      const [survey] = await tx
        .select()
        .from(surveys)
        .where(and(eq(surveys.siteId, site.id), eq(surveys.id, row.surveyId)))
      return survey && planOf(ctx, tx, survey, row.personal, row.createdAt)
    })
    if (!plan) throw new Superseded()
    let told = Date.now()
    let bytes = 0
    const pieces = piecesOf(ctx, plan, row.format, async (done) => {
      if (Date.now() - told < TELL_EVERY_MS) return
      told = Date.now()
      await note(ctx, row, { done, aliveAt: runtime.now() })
    })
    async function* counted() {
      for await (const piece of pieces) {
        bytes += piece.length
        yield piece
      }
    }
    await pipeline(Readable.from(counted(), { objectMode: false }), createWriteStream(unfinished, { mode: 0o600 }))
    await rename(unfinished, path)
    await note(ctx, row, { state: 'done', done: row.total, bytes, finishedAt: runtime.now() })
    return true
  } catch (error) {
    await rm(unfinished, { force: true })
    if (error instanceof Superseded) return false
    runtime.log.error('an export could not be made', { export: row.id, ...describeError(error) })
    await note(ctx, row, { state: 'failed', finishedAt: runtime.now() }).catch(() => {})
    return false
  }
}

/** @throws {Superseded} where it was cancelled meanwhile, or has expired */
async function note(ctx: Ctx, row: ExportRow, values: Partial<typeof surveyExports.$inferInsert>): Promise<void> {
  const told = await ctx.db.tx((tx) =>
    tx
      .update(surveyExports)
      .set(values)
      .where(and(eq(surveyExports.siteId, ctx.site.id), eq(surveyExports.id, row.id), eq(surveyExports.state, 'running')))
      .returning({ id: surveyExports.id }),
  )
  if (told.length === 0) throw new Superseded()
}
