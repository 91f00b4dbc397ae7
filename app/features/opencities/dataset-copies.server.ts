import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Cell } from './opencities.schema.ts'

/** A row on its way into the database: p is its position, c its cells, w its words. */
export interface CopyRow {
  p: number
  c: Cell[]
  w: string
}

const ROWS_PER_DELETE = 20_000

export async function insertRows(tx: Tx, siteId: string, datasetId: string, version: number, rows: readonly CopyRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`insert into city_dataset_rows (site_id, dataset_id, version, position, cells, words)
    select ${siteId}, ${datasetId}, ${version}, p, c, w from json_to_recordset(${JSON.stringify(rows)}::json) as r(p integer, c jsonb, w text)`)
}

/** Deletes all copies of a dataset but one, a few thousand rows at a time, so that it blocks nobody. */
export async function deleteCopies(ctx: Ctx, datasetId: string, { except }: { except: number }): Promise<void> {
  const ofDataset = sql`site_id = ${ctx.site.id} and dataset_id = ${datasetId}`
  // Key ranges only: however wrong the planner's statistics for a table that has just grown, it reads no other rows.
  for (const others of [sql`${ofDataset} and version < ${except}`, sql`${ofDataset} and version > ${except}`]) {
    for (let more = true; more;) more = await ctx.db.tx((tx) => deleteSomeRows(tx, ofDataset, others))
  }
  await ctx.db.tx(async (tx) => {
    await tx.execute(sql`delete from city_dataset_orders where ${ofDataset} and version <> ${except}`)
    await tx.execute(sql`delete from city_dataset_words where ${ofDataset} and version <> ${except}`)
    await tx.execute(sql`delete from city_dataset_common_words where ${ofDataset} and version <> ${except}`)
  })
}

async function deleteSomeRows(tx: Tx, ofDataset: SQL, others: SQL): Promise<boolean> {
  const { rows } = await tx.execute<{ version: number; position: number }>(
    sql`select version, position from city_dataset_rows where ${others} order by version, position limit 1`,
  )
  const [first] = rows
  if (!first) return false
  const { version, position } = first
  await tx.execute(sql`delete from city_dataset_rows
    where ${ofDataset} and version = ${version} and position >= ${position} and position < ${position + ROWS_PER_DELETE}`)
  return true
}
