import { getTableColumns, getTableName, type SQL, sql, Subquery } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'

type SiteTable = PgTable & { siteId: AnyPgColumn; id: AnyPgColumn }

/**
 * Stands for the table in `from`, with only the site's rows with these ids, each looked up by the primary key. With a condition on the ids,
 * PostgreSQL may read the site's whole part of another index instead: plans for any site expect it to be of average size.
 */
export const lookUpRows = <Table extends SiteTable>(table: Table, siteId: string, ids: readonly string[] | SQL): Table =>
  asTable(
    table,
    sql`select one.* from unnest(${Array.isArray(ids) ? sql.param(ids) : ids}::uuid[]) as wanted (id)
      cross join lateral (select * from ${table} where ${table.siteId} = ${siteId} and ${table.id} = wanted.id limit 1) as one`,
  )

/** Lets these rows of the table, all its columns, stand for it in `from`. */
export const asTable = <Table extends SiteTable>(table: Table, rows: SQL): Table =>
  new Subquery(rows, getTableColumns(table), getTableName(table)) as unknown as Table
