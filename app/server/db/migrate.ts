import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { APP_ROLE, GLOBAL_TABLES, PLATFORM_SITE_ID } from './tenancy.ts'

const FOLDER = fileURLToPath(new URL('./migrations/', import.meta.url))
export const OLDEST_POSTGRES = 15

/**
 * Brings the database at `ownerUrl` to the newest schema, each migration in a transaction of its own, and (re)makes the
 * application's role, its grants and row-level security on every tenant table.
 * @returns names of the migrations applied now
 */
export async function migrate(ownerUrl: string, appPassword: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ v: number }>("select current_setting('server_version_num')::int / 10000 as v")
    const version = rows[0]?.v ?? 0
    if (version < OLDEST_POSTGRES)
      throw new Error(`Parley needs PostgreSQL ${OLDEST_POSTGRES} or newer; this database is version ${version}.`)
    await client.query('select pg_advisory_lock(7238501)')
    await client.query(
      'create table if not exists parley_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    await client.query('create extension if not exists pg_trgm')
    const done = new Set((await client.query<{ name: string }>('select name from parley_migrations')).rows.map((row) => row.name))
    const applied: string[] = []
    for (const name of (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort()) {
      if (done.has(name)) continue
      await client.query('begin')
      await client.query(await readFile(FOLDER + name, 'utf8'))
      await client.query('insert into parley_migrations (name) values ($1)', [name])
      await client.query('commit')
      applied.push(name)
    }
    await secure(client, appPassword)
    return applied
  } finally {
    await client.end()
  }
}

async function secure(client: pg.Client, appPassword: string): Promise<void> {
  const role = client.escapeIdentifier(APP_ROLE)
  const exists = await client.query('select 1 from pg_roles where rolname = $1', [APP_ROLE])
  const login = `login nosuperuser nobypassrls nocreatedb nocreaterole password ${client.escapeLiteral(appPassword)}`
  await client.query(exists.rowCount ? `alter role ${role} ${login}` : `create role ${role} ${login}`)
  await client.query('begin')
  await client.query(`grant usage on schema public to ${role}`)
  const { rows } = await client.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'")
  for (const { name } of rows) {
    const table = client.escapeIdentifier(name)
    if (name === 'parley_migrations') {
      await client.query(`grant select on ${table} to ${role}`)
      continue
    }
    await client.query(`grant select, insert, update, delete on ${table} to ${role}`)
    if ((GLOBAL_TABLES as readonly string[]).includes(name)) continue
    await client.query(`alter table ${table} enable row level security`)
    await client.query(`alter table ${table} force row level security`)
    await client.query(`drop policy if exists own_site on ${table}`)
    await client.query(`create policy own_site on ${table} using (site_id = nullif(current_setting('parley.site_id', true), '')::uuid)`)
  }
  await client.query(
    `insert into sites (id, slug, name, status, region, locale, languages, time_zone)
     values ($1, 'platform', 'Parley', 'platform', 'Platform', 'en', '{en,fr-CA,cy}', 'UTC') on conflict do nothing`,
    [PLATFORM_SITE_ID],
  )
  await client.query('commit')
}
