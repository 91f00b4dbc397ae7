import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { loadSiteTables } from '../../features/sites/deletion/site-tables.server.ts'
import { createId } from '../../lib/uuid.ts'
import { computeKeyName, getSealingKeys, unsealSecret } from '../../server/crypto/seal.ts'
import { loadAppliedMigrations, withClient } from '../../server/db/migrate.ts'
import type { Runtime } from '../../server/runtime.ts'
import { openSiteKey } from '../../server/site-key.ts'
import { StartupFault } from '../../server/startup-fault.ts'
import { openStorage, type Storage } from '../../server/storage/storage.ts'

import { SEALED_COLUMNS } from '../sealed-columns.ts'
import { type ArchiveHead, type ArchiveLine, writeSiteArchive } from './site-archive.ts'
import { LATER_COLUMNS, orderForLoading, SHUFFLED_TABLES } from './site-tables.ts'

const ROWS_AT_ONCE = 500
const CHUNK_BYTES = 256 * 1024
/** Rows as text that reads the same on every server. */
export const PLAIN_FORMATS = `set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local bytea_output = 'hex';
  set local extra_float_digits = 3; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`

interface ExportedSite {
  id: string
  name: string
  sealedKey: string | null
}

export interface ExportOptions {
  path: string
  passphrase: string
  purpose: ArchiveHead['purpose']
  /** Puts the installation's signing key into the file, for a site without a key of its own. */
  withInstallationKey: boolean
}

interface ExportCounts {
  rows: number
  files: number
}

type ExportRuntime = Pick<Runtime, 'env' | 'keys' | 'secret'>

/** Writes a site's rows, from one snapshot, and its files. Parley may serve meanwhile. */
export async function exportSite(
  runtime: ExportRuntime,
  databaseUrl: string,
  site: ExportedSite,
  options: ExportOptions,
): Promise<ExportCounts> {
  const counts = { rows: 0, files: 0 }
  await withClient(databaseUrl, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`${PLAIN_FORMATS}; select set_config('parley.site_id', ${client.escapeLiteral(site.id)}, true)`)
    await writeSiteArchive(options.path, options.passphrase, listLines(runtime, client, site, options, counts))
    await client.query('rollback')
  })
  return counts
}

async function* listLines(
  runtime: ExportRuntime,
  client: pg.Client,
  site: ExportedSite,
  { purpose, withInstallationKey }: ExportOptions,
  counts: ExportCounts,
): AsyncGenerator<ArchiveLine> {
  const { rows: domains } = await client.query<{ host: string }>('select host from site_domains where site_id = $1 order by 1', [site.id])
  const ownKey = openSiteKey(runtime, site)
  if (site.sealedKey !== null && ownKey === undefined)
    throw new StartupFault(
      `The signing key of ${site.name} opens with none of the installation's keys: give this command the same SECRET_KEY.`,
    )
  const signing = ownKey ?? { key: runtime.secret, isShared: true }
  yield {
    kind: 'site',
    format: 1,
    exportId: createId(),
    at: new Date().toISOString(),
    purpose,
    migrations: await loadAppliedMigrations(client),
    site: { id: site.id, name: site.name, hosts: domains.map(({ host }) => host) },
    keyName: computeKeyName(signing.key),
  }
  if (!signing.isShared || withInstallationKey) yield { kind: 'signing-key', ...signing }
  const tables = orderForLoading(await loadSiteTables(drizzle(client)))
  yield* listRows(client, 'sites', `where id = ${client.escapeLiteral(site.id)}`, counts)
  const ofSite = `where site_id = ${client.escapeLiteral(site.id)}`
  for (const { name } of [{ name: 'site_domains' }, ...tables]) {
    yield* listRows(client, name, SHUFFLED_TABLES.includes(name) ? `${ofSite} order by gen_random_uuid()` : ofSite, counts)
  }
  for (const [name, columns] of Object.entries(LATER_COLUMNS)) yield* listLaterRows(client, name, Object.entries(columns), ofSite)
  yield* listSecrets(runtime, client, site.id)
  yield* listFiles(openStorage(runtime.env), site.id, counts)
  yield { kind: 'end', ...counts }
}

async function* listRows(client: pg.ClientBase, table: string, which: string, counts: ExportCounts): AsyncGenerator<ArchiveLine> {
  yield { kind: 'table', name: table, columns: await listColumns(client, table) }
  for await (const row of readRows(client, table, which)) {
    counts.rows += 1
    yield { kind: 'row', row }
  }
}

async function* listLaterRows(
  client: pg.Client,
  table: string,
  columns: [string, 'null' | 'false'][],
  which: string,
): AsyncGenerator<ArchiveLine> {
  yield { kind: 'later', name: table, columns: columns.map(([column]) => column) }
  const differs = columns.map(([column, before]) => `${client.escapeIdentifier(column)} is distinct from ${before}`)
  for await (const row of readRows(client, table, `${which} and (${differs.join(' or ')})`)) yield { kind: 'row', row }
}

async function* readRows(client: pg.ClientBase, table: string, which: string): AsyncGenerator<string> {
  await client.query(`declare moved no scroll cursor for select t::text as row from ${client.escapeIdentifier(table)} t ${which}`)
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from moved`)
    for (const { row } of rows) yield row
    if (rows.length < ROWS_AT_ONCE) break
  }
  await client.query('close moved')
}

/** In the order in which a row as text lists them. */
export async function listColumns(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [`public.${table}`],
  )
  return rows.map(({ name }) => name)
}

/** Credentials as text, because only this installation's key opens them as they are stored. */
async function* listSecrets(runtime: ExportRuntime, client: pg.ClientBase, siteId: string): AsyncGenerator<ArchiveLine> {
  for (const { table, column, place } of SEALED_COLUMNS) {
    const { rows } = await client.query<{ id: string; sealed: string }>(
      `select id, ${column} as sealed from ${table} where site_id = $1 and ${column} is not null`,
      [siteId],
    )
    for (const { id, sealed } of rows) {
      const text = unsealSecret(getSealingKeys(runtime), place(id), sealed)
      // What no key opens any more is as lost there as it is here.
      if (text !== undefined) yield { kind: 'secret', table, column, id, text }
    }
  }
}

async function* listFiles(storage: Storage, siteId: string, counts: ExportCounts): AsyncGenerator<ArchiveLine> {
  for await (const key of storage.keysBelow(siteId)) {
    const bytes = await storage.get(key)
    // It was deleted since it was listed.
    if (!bytes) continue
    counts.files += 1
    yield { kind: 'file', key }
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      yield { kind: 'bytes', base64: bytes.subarray(at, at + CHUNK_BYTES).toString('base64') }
  }
}
