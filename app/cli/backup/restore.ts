import { appendFileSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { deriveAppPassword } from '../../server/connection-string.ts'
import { migrateDatabase, withClient } from '../../server/db/migrate.ts'
import { BASELINE, listSteps, type MigrationStep } from '../../server/db/migration-steps.ts'
import { StartupFault } from '../../server/startup-fault.ts'
import type { CommandCall } from '../commands.ts'
import { makeDataDirectory } from '../data-directory.ts'
import { readSigningSecret } from '../prepare.ts'
import { formatUsage } from '../usage.ts'
import { readArchive } from './archive.ts'
import { createEmptyFile, requirePlace } from './backup-files.ts'
import { loadTables } from './load-tables.ts'
import { withOwnerUrl } from './with-owner-url.ts'

const REPLACE = '--replace'

/**
 * `parley restore <file> [--replace]`: restores a backup's database and files into an empty place, unless told to replace what is there.
 * The whole file is verified before anything is changed; a backup of an older Parley is migrated to this version.
 */
export async function restoreBackup({ env, words, say }: CommandCall): Promise<void> {
  const [file] = words.filter((word) => word !== REPLACE)
  if (!file || !existsSync(file))
    throw new StartupFault(file ? `There is no file ${resolve(file)}.` : `Name the backup: parley ${formatUsage('restore')}`)
  const steps = await verifyArchive(file, env.DATA_DIR)
  makeDataDirectory(env.DATA_DIR)
  await withOwnerUrl(env, { say, running: false, make: true }, async (ownerUrl) => {
    await withClient(ownerUrl, async (client) => {
      if (!words.includes(REPLACE)) await requireEmptyDatabase(client)
      // Releases until 2026-11-29 kept a job queue in a schema of its own.
      await client.query('drop schema if exists pgboss cascade; drop schema public cascade; create schema public')
    })
    const key = join(env.DATA_DIR, 'secret.key')
    await restoreFiles(file, env.DATA_DIR)
    const password = deriveAppPassword(readSigningSecret(env))
    await migrateDatabase(ownerUrl, password, { steps })
    const rows = await withClient(ownerUrl, (client) => restoreRows(client, file))
    await migrateDatabase(ownerUrl, password)
    // Without statistics the planner assumes tiny tables, so pages would be slow until autovacuum has run.
    await withClient(ownerUrl, (client) => client.query('analyze'))
    say(`Restored ${rows} rows${existsSync(key) ? ' and the key' : ''}. Start Parley to serve them.`)
  })
}

/** Reads the whole file. @returns the steps that its database had applied */
async function verifyArchive(file: string, dataDir: string): Promise<MigrationStep[]> {
  let migrations: string[] = []
  for await (const line of readArchive(file)) {
    if (line.kind === 'backup') migrations = line.migrations
    if (line.kind === 'file') requirePlace(dataDir, line.name)
  }
  const steps = await listSteps()
  const known = new Set(steps.map(({ name }) => name))
  const unknown = migrations.find((name) => name.endsWith('.sql') && !known.has(name))
  if (unknown && unknown < BASELINE)
    throw new StartupFault('The backup is of a version of Parley before 1.0, which this version cannot restore.')
  if (unknown) throw new StartupFault(`The backup is of a newer Parley than this one, which does not know its step ${unknown}.`)
  const applied = new Set(migrations)
  return steps.filter(({ name }) => applied.has(name))
}

async function requireEmptyDatabase(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ made: boolean }>(`select to_regclass('public.sites') is not null as made`)
  if (!rows[0]?.made) return
  const { rowCount } = await client.query(`select 1 from sites where status <> 'platform' limit 1`)
  if (rowCount)
    throw new StartupFault(`The database is not empty. To throw away all that is in it, say so: parley restore <file> ${REPLACE}`)
}

async function restoreFiles(file: string, dataDir: string): Promise<void> {
  let place: string | undefined
  for await (const line of readArchive(file)) {
    if (line.kind === 'file') createEmptyFile((place = requirePlace(dataDir, line.name)))
    else if (line.kind === 'bytes' && place) appendFileSync(place, Buffer.from(line.base64, 'base64'))
  }
}

async function restoreRows(client: pg.ClientBase, file: string): Promise<number> {
  let rows = 0
  await loadTables(client, async (loader) => {
    for await (const line of readArchive(file)) {
      if (line.kind === 'table') await loader.table(line)
      else if (line.kind === 'row') await loader.row(line.row)
    }
    rows = await loader.finish()
  })
  return rows
}
