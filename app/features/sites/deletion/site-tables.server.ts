import { sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { GLOBAL_TABLES } from '#app/server/db/tenancy.ts'

export interface SiteTable {
  name: string
  columns: string[]
  /** Generated columns. */
  generated: string[]
  /** An unlogged table: its data is only needed for a day. */
  passing: boolean
  /** Tables with foreign keys to this one. */
  pointedToBy: string[]
}

/** Every table with rows of sites, from the database's own catalogue, so that new tables are included automatically. */
export async function loadSiteTables(tx: Tx): Promise<SiteTable[]> {
  const { rows } = await tx.execute<SiteTable & Record<string, unknown>>(
    sql`select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
          coalesce(array_agg(a.attname::text) filter (where a.attgenerated <> ''), '{}') as generated,
          c.relpersistence = 'u' as passing,
          array(select distinct k.conrelid::regclass::text from pg_constraint k
                where k.contype = 'f' and k.confrelid = c.oid and k.conrelid <> c.oid) as "pointedToBy"
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        group by c.oid, c.relname, c.relpersistence
        having bool_or(a.attname = 'site_id')
        order by c.relname`,
  )
  return rows.filter(({ name }) => !(GLOBAL_TABLES as readonly string[]).includes(name))
}

/** Orders tables so that they can be emptied one by one: a table comes before those it references. */
export function orderForDeletion(tables: readonly SiteTable[]): SiteTable[] {
  const ordered: SiteTable[] = []
  let rest = [...tables]
  while (rest.length) {
    const waiting = new Set(rest.map(({ name }) => name))
    const free = rest.filter(({ pointedToBy }) => !pointedToBy.some((name) => waiting.has(name)))
    // Tables that reference each other: their foreign key rules (cascade, set null) take care of it.
    const next = free.length ? free : rest.slice(0, 1)
    ordered.push(...next)
    rest = rest.filter((table) => !next.includes(table))
  }
  return ordered
}
