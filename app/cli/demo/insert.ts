import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '#app/server/db/client.ts'

const AT_ONCE = 400

/** Inserts many rows in few statements. */
export async function insertAll<T extends PgTable>(tx: Tx, table: T, rows: readonly T['$inferInsert'][]): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await tx.insert(table).values(rows.slice(from, from + AT_ONCE))
  }
}
