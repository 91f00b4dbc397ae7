import { rm } from 'node:fs/promises'
import { and, eq, lte, or, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { buildExportFolder } from '#app/features/surveys/export/exports.server.ts'
import { createCtx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { siteDeletions, siteDomains, sites } from '#app/server/db/schema/sites.ts'
import { APPEND_ONLY_TABLES, PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { attemptWork } from '#app/server/jobs/attempt-work.ts'
import { describeError } from '#app/server/log.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { buildArchiveKey, isArchiveWhole } from './archive.storage.server.ts'
import { type DeletionRow, EXPORT_RETENTION_MS } from './deletions.server.ts'
import { orderForDeletion, loadSiteTables } from './site-tables.server.ts'

const ROWS_AT_ONCE = 5000
/** Emptied first: otherwise the database would look for entries here with each deleted row. */
const SEARCH_TABLE = 'search_places'

/**
 * Deletes the sites whose waiting period is over, and expired exports. After any interruption the next run resumes where it stopped. Run by
 * a job.
 * @returns number of deleted sites
 */
export async function eraseDueSites(runtime: Runtime, ending?: AbortSignal): Promise<number> {
  const due = await runtime.database.global
    .select()
    .from(siteDeletions)
    .where(or(eq(siteDeletions.state, 'erasing'), and(eq(siteDeletions.state, 'waiting'), lte(siteDeletions.dueAt, runtime.now()))))
  let erased = 0
  for (const row of due) {
    const isErased = await attemptWork(
      () => eraseSite(runtime, row, ending),
      (error) => {
        runtime.log.error('a site could not be deleted yet', { siteId: row.id, ...describeError(error) })
        return false
      },
    )
    if (isErased) erased += 1
  }
  await expireArchives(runtime)
  return erased
}

async function eraseSite(runtime: Runtime, row: DeletionRow, ending: AbortSignal | undefined): Promise<boolean> {
  if (row.state === 'waiting' && !(await beginErasing(runtime, row))) return false
  await eraseFiles(runtime, row)
  const db = runtime.database.site(row.id)
  const tables = [SEARCH_TABLE, ...orderForDeletion(await db.tx(loadSiteTables)).map(({ name }) => name)]
  for (const table of tables) {
    for (let more = true; more;) {
      if (ending?.aborted) return false
      more = await db.tx((tx) => eraseSomeRows(tx, row.id, table))
    }
  }
  return finishErasing(runtime, row)
}

/** From here on it cannot be cancelled. Refused while the export is incomplete: it is made again, and the site stays. */
async function beginErasing(runtime: Runtime, row: DeletionRow): Promise<boolean> {
  const { global } = runtime.database
  const mine = and(eq(siteDeletions.id, row.id), eq(siteDeletions.state, 'waiting'))
  if (row.exportState !== 'done') {
    runtime.log.warn('a site stays until its export is made', { siteId: row.id, export: row.exportState })
    return false
  }
  if (!(await isArchiveWhole(runtime, row))) {
    runtime.log.error('a site stays: its export is not whole, and is made anew', { siteId: row.id })
    await global
      .update(siteDeletions)
      .set({ exportState: 'waiting' })
      .where(and(mine, eq(siteDeletions.exportState, 'done')))
    return false
  }
  const begun = await global
    .update(siteDeletions)
    .set({ state: 'erasing' })
    .where(and(mine, eq(siteDeletions.exportState, 'done'), lte(siteDeletions.dueAt, runtime.now())))
    .returning({ id: siteDeletions.id })
  return begun.length > 0
}

async function eraseFiles(runtime: Runtime, { id, erased }: DeletionRow): Promise<void> {
  const storage = openStorage(runtime.env)
  if (erased['files'] === undefined) {
    let files = 0
    for await (const _ of storage.keysBelow(id)) files += 1
    // Counted before they are deleted, so that a resumed run counts none twice.
    await runtime.database.site(id).tx((tx) => addErasedCount(tx, id, 'files', files))
  }
  await storage.removeBelow(id)
  await rm(buildExportFolder(runtime, id), { recursive: true, force: true })
}

/** @returns whether there may be more */
async function eraseSomeRows(tx: Tx, siteId: string, table: string): Promise<boolean> {
  const name = sql.identifier(table)
  const { rows, rowCount } = APPEND_ONLY_TABLES.includes(table)
    ? await tx.execute<{ gone: string }>(sql`select erase_audit_trail(${siteId}) as gone`)
    : await tx.execute<{ gone: string }>(
        sql`delete from ${name} where site_id = ${siteId}
            and ctid = any (array(select ctid from ${name} where site_id = ${siteId} limit ${ROWS_AT_ONCE}))`,
      )
  const gone = rows[0] ? Number(rows[0].gone) : (rowCount ?? 0)
  if (gone) await addErasedCount(tx, siteId, table, gone)
  return gone >= ROWS_AT_ONCE && !APPEND_ONLY_TABLES.includes(table)
}

/** Adds to the record's counts, in the same transaction as the deletion. */
const addErasedCount = (tx: Tx, siteId: string, what: string, gone: number) =>
  tx
    .update(siteDeletions)
    .set({
      erased: sql`${siteDeletions.erased} || jsonb_build_object(${what}::text, coalesce((${siteDeletions.erased} ->> ${what})::bigint, 0) + ${gone}::bigint)`,
    })
    .where(eq(siteDeletions.id, siteId))

/** Deletes the site itself last. Fails if any of its rows is left or has been added meanwhile: the next run deletes those too. */
async function finishErasing(runtime: Runtime, row: DeletionRow): Promise<boolean> {
  const now = runtime.now()
  const done = await runtime.database.site(PLATFORM_SITE_ID).tx(async (tx) => {
    const [record] = await tx
      .update(siteDeletions)
      .set({ state: 'erased', erasedAt: now, exportExpiresAt: new Date(now.getTime() + EXPORT_RETENTION_MS) })
      .where(and(eq(siteDeletions.id, row.id), eq(siteDeletions.state, 'erasing')))
      .returning()
    if (!record) return false
    await tx.delete(siteDomains).where(eq(siteDomains.siteId, row.id))
    await tx.delete(sites).where(eq(sites.id, row.id))
    const [platform] = await tx.select().from(sites).where(eq(sites.id, PLATFORM_SITE_ID))
    if (!platform) throw new Error('The platform’s own site does not exist')
    const { files = 0, ...tables } = record.erased
    const rows = Object.values(tables).reduce((sum, one) => sum + one, 0)
    await recordAudit(createCtx(runtime, { ...platform, host: '', primaryHost: '' }), tx, {
      action: 'sites.delete',
      siteId: PLATFORM_SITE_ID,
      subject: { type: 'sites', id: row.id },
      actor: { id: record.askedBy, role: 'platform_admin' },
      detail: { title: { en: record.name }, reason: record.reason, rows, files, export: record.exportSha256, tables },
    })
    return true
  })
  runtime.sites.refresh()
  return done
}

async function expireArchives(runtime: Runtime): Promise<void> {
  const { global } = runtime.database
  const over = await global
    .select({ id: siteDeletions.id })
    .from(siteDeletions)
    .where(and(eq(siteDeletions.state, 'erased'), eq(siteDeletions.exportState, 'done'), lte(siteDeletions.exportExpiresAt, runtime.now())))
  for (const { id } of over) {
    await openStorage(runtime.env).removeBelow(buildArchiveKey(id))
    await global.update(siteDeletions).set({ exportState: 'expired' }).where(eq(siteDeletions.id, id))
  }
}
