import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { deriveAppPassword } from '#app/server/connection-string.ts'
import { sendRequest } from '#tests/support/send-request.ts'
import { type ForeignPostgres, startForeignPostgres } from '#tests/support/foreign-postgres.ts'
import { type Product, runParley, type Settings, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite } from '#tests/support/running-product.ts'
import { startTransactionPool, type TransactionPool } from '#tests/support/transaction-pool.ts'

const dir = temporaryFolder('database-url')
const SECRET_KEY = 'a-key-of-the-tests-with-more-than-32-characters'
let foreign: ForeignPostgres
const products: Product[] = []
const pools: TransactionPool[] = []
let count = 0

beforeAll(async () => {
  foreign = await startForeignPostgres()
}, 60_000)
afterEach(async () => {
  await Promise.all(products.splice(0).map((product) => product.stop()))
  await Promise.all(pools.splice(0).map((pool) => pool.stop()))
})
afterAll(async () => {
  await foreign.stop()
  rmSync(dir, { recursive: true, force: true })
})

const settingsFor = (url: string): Settings => ({
  DATABASE_URL: url,
  SECRET_KEY,
  DATA_DIR: join(dir, `data-${(count += 1)}`),
  LOG_LEVEL: 'warn',
})

async function start(settings: Settings): Promise<Product> {
  const product = await startProduct(settings)
  products.push(product)
  return product
}

const homeOf = async (product: Product, host: string) => (await sendRequest(product.port, '/', { host })).text

test('a superuser’s connection: the database is set up, and served by an unprivileged role', async () => {
  await foreign.run('postgres', 'create database town')
  const settings = settingsFor(foreign.url('town'))
  const product = await start(settings)
  expect(product.output()).toContain('Nobody runs this platform yet.')
  expect(product.output()).not.toContain('Making the demo site')
  await createSite({ ...settings, PORT: String(product.port) }, 'town.localhost', 'Townsville')
  expect(await homeOf(product, 'town.localhost')).toContain('Townsville')
  const clients = await foreign.run(
    'town',
    `select distinct usename from pg_stat_activity where datname = 'town' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  expect(clients).toEqual([{ usename: 'parley_app_town' }])
})

test('an owner’s connection that can only create roles; a second Parley on the same server', async () => {
  await foreign.run(
    'postgres',
    `create role owner login createrole password 'owner'`,
    'create database first owner owner',
    'create database second owner owner',
  )
  const [first, second] = [settingsFor(foreign.url('first', 'owner', 'owner')), settingsFor(foreign.url('second', 'owner', 'owner'))]
  const [a, b] = [await start(first), await start(second)]
  await createSite({ ...first, PORT: String(a.port) }, 'one.localhost', 'First Town')
  await createSite({ ...second, PORT: String(b.port) }, 'one.localhost', 'Second Town')
  expect(await homeOf(a, 'one.localhost')).toContain('First Town')
  expect(await homeOf(b, 'one.localhost')).toContain('Second Town')
  // Jobs find what is due on any site, through the one function that looks across sites; the tables themselves stay closed.
  const [scheduled] = await foreign.run(
    'first',
    `insert into projects (site_id, id, slug, title, status, publish_at)
     select id, gen_random_uuid(), 'later', '{}', 'scheduled', '2198-01-01' from sites where name = 'First Town' returning site_id`,
  )
  const asApplication = (query: string) => foreign.run('first', 'set role parley_app_first', query)
  expect(await asApplication(`select * from sites_with_work('publish-due-projects', '2199-01-01') as found(site_id)`)).toEqual([scheduled])
  expect(await asApplication('select * from projects')).toEqual([])
})

describe('an owner who may not create roles', () => {
  const SQL = /Instead of CREATEROLE, an administrator of the server can run: (.*;)$/m

  test('is told the SQL that makes the role, and runs Parley after somebody has pasted it', async () => {
    await foreign.run('postgres', `create role modest login password 'modest'`, 'create database plain owner modest')
    const settings = settingsFor(foreign.url('plain', 'modest', 'modest'))
    const refused = runParley(['start'], settings)
    expect(await refused.ended).toBe(1)
    expect(refused.complaint()).toContain('The user modest of DATABASE_URL may not create the role parley_app_plain')
    const sql = SQL.exec(refused.complaint())?.[1] ?? ''
    expect(sql).toMatch(/^create role "parley_app_plain" login password /)
    expect(refused.complaint(), 'the password itself stays secret').not.toContain(deriveAppPassword(SECRET_KEY))
    await foreign.run('postgres', sql)
    const product = await start(settings)
    await createSite({ ...settings, PORT: String(product.port) }, 'plain.localhost', 'Plain Town')
    expect(await homeOf(product, 'plain.localhost')).toContain('Plain Town')
    const migrated = runParley(['migrate'], settings)
    expect(await migrated.ended, migrated.output()).toBe(0)
  })

  test('is told the same if the role has another password, or may not log in', async () => {
    await foreign.run('postgres', `create role careful login password 'careful'`, 'create database prepared owner careful')
    const settings = settingsFor(foreign.url('prepared', 'careful', 'careful'))
    const cases = [
      { made: `create role parley_app_prepared login password 'another'`, command: 'start' },
      { made: 'alter role parley_app_prepared nologin', command: 'migrate' },
    ]
    for (const { made, command } of cases) {
      await foreign.run('postgres', made)
      const refused = runParley([command], settings)
      expect(await refused.ended).toBe(1)
      const sql = SQL.exec(refused.complaint())?.[1] ?? ''
      expect(sql).toMatch(/^alter role "parley_app_prepared" login password /)
      await foreign.run('postgres', sql)
      const migrated = runParley(['migrate'], settings)
      expect(await migrated.ended, migrated.output()).toBe(0)
    }
    const product = await start(settings)
    await createSite({ ...settings, PORT: String(product.port) }, 'prepared.localhost', 'Prepared Town')
    expect(await homeOf(product, 'prepared.localhost')).toContain('Prepared Town')
  })
})

test('several processes on one database, each seeing what another published', async () => {
  await foreign.run('postgres', 'create database shared')
  const settings = settingsFor(foreign.url('shared'))
  const [a, b] = [await start(settings), await start({ ...settings, DATA_DIR: join(dir, 'another') })]
  await createSite({ ...settings, PORT: String(a.port) }, 'shared.localhost', 'Before')
  await expect.poll(() => homeOf(b, 'shared.localhost')).toContain('Before')
  await foreign.run('shared', `update sites set name = 'Afterwards', content_version = content_version + 1 where slug = 'shared'`)
  await expect.poll(() => homeOf(a, 'shared.localhost')).toContain('Afterwards')
  await expect.poll(() => homeOf(b, 'shared.localhost')).toContain('Afterwards')
})

describe('behind a pool in transaction mode', () => {
  async function openPool(): Promise<TransactionPool> {
    const pool = await startTransactionPool({ connections: 3 })
    pools.push(pool)
    return pool
  }

  test('several processes set up the database, serve it, see what another published and say that there is a pool', async () => {
    await foreign.run('postgres', 'create database pooled')
    const settings = { ...settingsFor((await openPool()).throughPool(foreign.url('pooled'))), LOG_LEVEL: 'info' }
    const a = await start(settings)
    const b = await start({ ...settings, DATA_DIR: join(dir, 'another-pooled') })
    await createSite({ ...settings, PORT: String(a.port) }, 'pooled.localhost', 'Before')
    await expect.poll(() => homeOf(b, 'pooled.localhost')).toContain('Before')
    const readAll = (product: Product) =>
      Promise.all(
        ['/', '/projects?q=bus', '/search?q=park', '/pages'].map((path) => sendRequest(product.port, path, { host: 'pooled.localhost' })),
      )
    for (let round = 0; round < 5; round++) {
      for (const { status } of (await Promise.all([readAll(a), readAll(b)])).flat()) expect([200, 404]).toContain(status)
    }
    await foreign.run('pooled', `update sites set name = 'Afterwards', content_version = content_version + 1 where slug = 'pooled'`)
    await expect.poll(() => homeOf(a, 'pooled.localhost')).toContain('Afterwards')
    await expect.poll(() => homeOf(b, 'pooled.localhost')).toContain('Afterwards')
    for (const product of [a, b]) {
      expect(product.output()).toContain('the database is behind a connection pool')
      expect(product.output()).not.toContain('"level":"error"')
    }
  })

  test('with the database itself as DATABASE_DIRECT_URL, another process is told at once what was published', async () => {
    await foreign.run('postgres', 'create database direct')
    const pool = await openPool()
    const settings = {
      ...settingsFor(pool.throughPool(foreign.url('direct'))),
      DATABASE_DIRECT_URL: foreign.url('direct'),
      LOG_LEVEL: 'info',
    }
    const product = await start(settings)
    await createSite({ ...settings, PORT: String(product.port) }, 'direct.localhost', 'Direct Town')
    expect(await homeOf(product, 'direct.localhost')).toContain('Direct Town')
    const listening = await foreign.run(
      'direct',
      `select usename from pg_stat_activity where application_name = 'parley content' and query like 'listen %' and datname = 'direct'`,
    )
    expect(listening).toEqual([{ usename: 'parley_app_direct' }])
    expect(product.output()).not.toContain('other processes see a change within a second')
  })

  test('a setting that the pool refuses is named, with what to do about it: at the start, and later in the log', async () => {
    await foreign.run('postgres', 'create database narrow')
    const pool = await openPool()
    const settings = settingsFor(`${pool.throughPool(foreign.url('narrow'))}?options=-c%20geqo%3Doff`)
    const sentence =
      /The connection pool in front of the database refuses the setting options of DATABASE_URL: remove it .* ignore_startup_parameters/
    const refused = runParley(['start'], settings)
    expect(await refused.ended).toBe(1)
    expect(refused.complaint()).toMatch(sentence)
    pool.accept('options')
    const product = await start(settings)
    expect(product.output()).not.toMatch(sentence)
    pool.refuse('options')
    await expect.poll(() => product.output(), { timeout: 15_000 }).toMatch(sentence)
  })
})

test('only the application’s own role, after somebody with more rights has run parley migrate', async () => {
  await foreign.run('postgres', 'create database kept')
  const migrated = runParley(['migrate'], settingsFor(foreign.url('kept')))
  expect(await migrated.ended, migrated.output()).toBe(0)
  const url = /DATABASE_URL=(\S+)/.exec(migrated.output())?.[1] ?? ''
  expect(new URL(url).username).toBe('parley_app_kept')
  const settings = settingsFor(url)
  const product = await start(settings)
  await createSite({ ...settings, PORT: String(product.port) }, 'kept.localhost', 'Kept Town')
  expect(await homeOf(product, 'kept.localhost')).toContain('Kept Town')
})

test('a connection that lacks a right is refused with all that is missing, before anything is changed', async () => {
  await foreign.run('postgres', `create role builder login password 'builder'`, 'create database halfway')
  await foreign.run('halfway', 'grant create on schema public to builder')
  const count = () =>
    foreign.run('halfway', `select count(*)::int as tables from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`)
  for (const command of ['start', 'migrate']) {
    const refused = runParley([command], settingsFor(foreign.url('halfway', 'builder', 'builder')))
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toContain('The user builder of DATABASE_URL may not create schemas and extensions in the database halfway')
    expect(refused.output()).toContain('nor create the role parley_app_halfway or change it (CREATEROLE)')
    expect(await count()).toEqual([{ tables: 0 }])
  }
  // With an owner's right to everything but the tables that somebody else made.
  await foreign.run('postgres', 'alter role builder createrole', 'grant create on database halfway to builder')
  await foreign.run('halfway', 'create table parley_migrations (name text primary key)', 'grant select on parley_migrations to builder')
  const refused = runParley(['migrate'], settingsFor(foreign.url('halfway', 'builder', 'builder')))
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain('may not change the tables that are there, which belong to somebody else')
  expect(await count()).toEqual([{ tables: 1 }])
})
