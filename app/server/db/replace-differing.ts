import { sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from './client.ts'

/** A table with figures of a site, and how to count them. */
export interface CountedTable {
  table: PgTable
  /** Columns of its key besides `site_id`. */
  keys: readonly string[]
  values: readonly string[]
  /** Selects `site_id`, the keys and the values. */
  counted: SQL
  /** Only compare these rows, as `k`. */
  where?: SQL
}

/** Replaces the rows that differ from what was counted. Rows that count nothing are as good as none. @returns how many differed */
export async function replaceDiffering(
  tx: Tx,
  siteId: string,
  { table, keys, values, counted, where = sql`true` }: CountedTable,
): Promise<number> {
  const list = (columns: readonly string[], prefix = '') =>
    sql.join(
      columns.map((column) => sql`${sql.raw(prefix)}${sql.identifier(column)}`),
      sql`, `,
    )
  const [own, all] = [
    ['site_id', ...keys],
    ['site_id', ...keys, ...values],
  ]
  const { rows } = await tx.execute<{ differing: number }>(sql`
    with counted as materialized (${counted}),
    gone as (
      delete from ${table} k where k.site_id = ${siteId} and ${where} and not exists (select from counted c where (${list(own, 'c.')}) = (${list(own, 'k.')}))
      returning (${list(values, 'k.')}) is distinct from (${sql.join(
        values.map(() => sql`0`),
        sql`, `,
      )}) as counts),
    put as (
      insert into ${table} as k (${list(all)}) select ${list(all)} from counted
      on conflict (${list(own)}) do update set ${sql.join(
        values.map((column) => sql`${sql.identifier(column)} = excluded.${sql.identifier(column)}`),
        sql`, `,
      )}
      where (${list(values, 'k.')}) is distinct from (${list(values, 'excluded.')})
      returning 1)
    select (select count(*) from gone where counts)::int + (select count(*) from put)::int as differing`)
  return rows[0]?.differing ?? 0
}
