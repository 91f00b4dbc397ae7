import { sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Cell } from './opencities.schema.ts'

/** A row on its way into the database: position, cells, words. */
export interface NewRow {
  p: number
  c: Cell[]
  w: string
}

const AT_ONCE = 20_000

/** Adds rows to a copy. */
export async function copyBatch(tx: Tx, siteId: string, datasetId: string, version: number, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`insert into city_dataset_rows (site_id, dataset_id, version, position, cells, words)
    select ${siteId}, ${datasetId}, ${version}, p, c, w from json_to_recordset(${JSON.stringify(rows)}::json) as r(p integer, c jsonb, w text)`)
}

/** Removes every copy of a dataset but one, some thousand rows at a time, so that nobody waits for it. */
export async function deleteCopies(ctx: Ctx, datasetId: string, { except }: { except: number }): Promise<void> {
  await repeatedly(ctx, (tx) =>
    tx.execute(sql`delete from city_dataset_rows where site_id = ${ctx.site.id} and dataset_id = ${datasetId} and (version, position) in (
      select version, position from city_dataset_rows
      where site_id = ${ctx.site.id} and dataset_id = ${datasetId} and version <> ${except} limit ${AT_ONCE})`),
  )
  await ctx.db.tx(async (tx) => {
    await tx.execute(
      sql`delete from city_dataset_orders where site_id = ${ctx.site.id} and dataset_id = ${datasetId} and version <> ${except}`,
    )
    await tx.execute(
      sql`delete from city_dataset_words where site_id = ${ctx.site.id} and dataset_id = ${datasetId} and version <> ${except}`,
    )
  })
}

async function repeatedly(ctx: Ctx, remove: (tx: Tx) => Promise<{ rowCount: number | null }>): Promise<void> {
  while (true) {
    const { rowCount } = await ctx.db.tx(remove)
    if (!rowCount) return
  }
}
