import { sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { GLOBAL_TABLES } from '#app/server/db/tenancy.ts'

export interface SiteTable {
  name: string
  columns: string[]
  /** Those that the database works out by itself. */
  generated: string[]
  /** Holds what is known for a day alone. */
  passing: boolean
  /** Tables whose rows point to rows of this one. */
  pointedToBy: string[]
}

/** Every table that holds rows of sites, as the database itself knows them: a new one is among them by being there. */
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

/** In an order in which they can be emptied one after the other: what points to a table comes before it. */
export function orderForDeletion(tables: readonly SiteTable[]): SiteTable[] {
  const ordered: SiteTable[] = []
  let rest = [...tables]
  while (rest.length) {
    const waiting = new Set(rest.map(({ name }) => name))
    const free = rest.filter(({ pointedToBy }) => !pointedToBy.some((name) => waiting.has(name)))
    // Tables that point to each other: their own rules (cascade, set null) settle it.
    const next = free.length ? free : rest.slice(0, 1)
    ordered.push(...next)
    rest = rest.filter((table) => !next.includes(table))
  }
  return ordered
}
