import type pg from 'pg'
import { StartupFault } from '../../server/startup-fault.ts'
import type { ArchiveLine } from './archive.ts'
import { type DumpedTable, listTables } from './dump-tables.ts'

const ROWS_AT_ONCE = 500

/** Loads an archive's rows, table by table. */
export interface TableLoader {
  table: (line: Extract<ArchiveLine, { kind: 'table' }>) => Promise<void>
  row: (row: string) => Promise<void>
  /** Inserts the last rows. @returns the total number of rows */
  finish: () => Promise<number>
}

/**
 * Fills the tables of the connected, migrated database in one transaction. Foreign keys are dropped first and added again afterwards, which
 * checks them; so is row-level security, which would hide the rows from the tables' owner.
 */
export async function loadTables(client: pg.ClientBase, work: (loader: TableLoader) => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    const tables = await listTables(client)
    const { rows: ties } = await client.query<{ table: string; name: string; definition: string }>(
      `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
    )
    const { rows: fenced } = await client.query<{ table: string }>(
      `select oid::regclass::text as table from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity`,
    )
    for (const { table } of fenced) await client.query(`alter table ${table} no force row level security`)
    const { rows: triggered } = await client.query<{ table: string }>(
      `select distinct tgrelid::regclass::text as table from pg_trigger where not tgisinternal`,
    )
    // What the triggers write is in the archive too.
    for (const { table } of triggered) await client.query(`alter table ${table} disable trigger user`)
    for (const { table, name } of ties) await client.query(`alter table ${table} drop constraint ${name}`)
    // Migrations insert rows of their own, such as feature names; the archive has these too.
    for (const { name } of tables) await client.query(`delete from ${client.escapeIdentifier(name)}`)
    await work(createTableLoader(client, new Map(tables.map((table) => [table.name, table]))))
    for (const { table, name, definition } of ties) await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    for (const { table } of triggered) await client.query(`alter table ${table} enable trigger user`)
    for (const { table } of fenced) await client.query(`alter table ${table} force row level security`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

function createTableLoader(client: pg.ClientBase, known: ReadonlyMap<string, DumpedTable>): TableLoader {
  let insert = ''
  let waiting: string[] = []
  let count = 0
  const flush = async () => {
    if (!waiting.length) return
    await client.query(insert, [waiting])
    count += waiting.length
    waiting = []
  }
  return {
    table: async ({ name, columns }) => {
      await flush()
      const table = known.get(name)
      if (table?.columns.join() !== columns.join()) throw new StartupFault(`The backup's table ${name} is not as this Parley makes it.`)
      const into = client.escapeIdentifier(name)
      const written = columns.filter((column) => !table?.generated.includes(column)).map((column) => client.escapeIdentifier(column))
      const values = written.map((column) => `(value).${column}`).join()
      insert = `insert into ${into} (${written.join()}) select ${values} from (select text::${into} as value from unnest($1::text[]) text) rows`
    },
    row: async (row) => {
      waiting.push(row)
      if (waiting.length >= ROWS_AT_ONCE) await flush()
    },
    finish: async () => {
      await flush()
      return count
    },
  }
}
