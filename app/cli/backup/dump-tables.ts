import type pg from 'pg'
import { GLOBAL_TABLES } from '../../server/db/tenancy.ts'
import type { ArchiveWriter } from './archive.ts'

const ROWS_AT_ONCE = 1000
/** Keys that lead from voters to their ballots, and what was read on sheets: they exist here only, until the round is certified or the batch is accepted. */
const NEVER_DUMPED = ['budget_secrets', 'budget_paper_typings']
/** Tables whose rows would otherwise stand in the order in which they were written, which pairs ballots with their voters. */
const SHUFFLED = ['activity_ledger_waiting', 'budget_ballots', 'budget_voters', 'ledger_waiting']

/** Writes every row of the connected database from one snapshot, however long that takes and whatever is written meanwhile. */
export async function dumpTables(client: pg.ClientBase, archive: ArchiveWriter): Promise<number> {
  let rows = 0
  await client.query('begin isolation level repeatable read read only')
  try {
    await client.query(
      `set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local bytea_output = 'hex'; set local extra_float_digits = 3`,
    )
    const sites = (await client.query<{ id: string }>('select id from sites order by id')).rows.map(({ id }) => id)
    for (const { name, columns, passing } of await listTables(client)) {
      if (passing || NEVER_DUMPED.includes(name)) continue
      await archive.write({ kind: 'table', name, columns })
      const isGlobal = (GLOBAL_TABLES as readonly string[]).includes(name)
      // Row-level security applies to the owner too, unless it is a superuser; so dump site by site.
      for (const site of isGlobal ? [undefined] : sites) rows += await dumpRows(client, archive, name, site)
    }
  } finally {
    await client.query('rollback')
  }
  return rows
}

async function dumpRows(client: pg.ClientBase, archive: ArchiveWriter, table: string, site: string | undefined): Promise<number> {
  let count = 0
  const name = client.escapeIdentifier(table)
  if (site) await client.query(`select set_config('parley.site_id', $1, true)`, [site])
  const where = site ? `where site_id = ${client.escapeLiteral(site)}` : ''
  const order = SHUFFLED.includes(table) ? 'order by gen_random_uuid()' : ''
  await client.query(`declare dump no scroll cursor for select t::text as row from ${name} t ${where} ${order}`)
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from dump`)
    for (const { row } of rows) await archive.write({ kind: 'row', row })
    count += rows.length
    if (rows.length < ROWS_AT_ONCE) break
  }
  await client.query('close dump')
  return count
}

export interface DumpedTable {
  name: string
  columns: string[]
  /** Columns that the database computes. */
  generated: string[]
  /** An unlogged table: short-lived or rebuilt by jobs, so it is not backed up. */
  passing: boolean
}

/** The product's tables with their columns in order, except the list of migrations, which is stored separately. */
export async function listTables(client: pg.ClientBase): Promise<DumpedTable[]> {
  const { rows } = await client.query<DumpedTable>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
            coalesce(array_agg(a.attname::text) filter (where a.attgenerated <> ''), '{}') as generated,
            c.relpersistence = 'u' as passing
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'parley_migrations'
     group by c.relname, c.relpersistence order by c.relname`,
  )
  return rows
}
