import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { deriveAppPassword, getAppRole } from '#app/server/connection-string.ts'
import { loadAppliedMigrations, loadPendingMigrations, migrateDatabase, withClient } from '#app/server/db/migrate.ts'
import { listSteps, type MigrationStep } from '#app/server/db/migration-steps.ts'
import { findMissingNeed, readNeed } from '#app/server/db/needed-steps.ts'
import { TEST_SECRET } from '#tests/support/cluster.ts'
import { describeRows, describeSchema } from '#tests/support/describe-schema.ts'
import { findBreaks } from './breaks.ts'
import { listReleases, readRelease } from './releases.ts'

const admin = new pg.Client({ connectionString: inject('ownerUrl').replace(/template_parley$/, 'postgres') })
const made: string[] = []
beforeAll(() => admin.connect())
afterAll(async () => {
  for (const name of made) await admin.query(`drop database if exists ${name} with (force)`)
  await admin.end()
})

async function createEmptyDatabase(): Promise<string> {
  const name = `u_${randomBytes(6).toString('hex')}`
  await admin.query(`create database ${name} template template0`)
  made.push(name)
  return inject('ownerUrl').replace(/template_parley$/, name)
}

/** A database as a release left it, with the platform's own row. */
async function buildRelease(name: string): Promise<string> {
  const ownerUrl = await createEmptyDatabase()
  await withClient(ownerUrl, async (client) => {
    await client.query('create table parley_migrations (name text primary key, applied_at timestamptz not null default now())')
    await client.query('create extension pg_trgm')
    for (const { name: migration, sql } of readRelease(name)) {
      await client.query(sql)
      await client.query('insert into parley_migrations (name) values ($1)', [migration])
    }
  })
  return ownerUrl
}

/** The schema of a database, whose own role is called by the same name everywhere. */
const readSchema = (ownerUrl: string): Promise<string[]> =>
  withClient(ownerUrl, async (client) => {
    const role = getAppRole(new URL(ownerUrl).pathname.slice(1))
    return (await describeSchema(client)).map((line) => line.replaceAll(role, 'the_app'))
  })

/** The rows that migrations wrote. */
const readFirstRows = (ownerUrl: string): Promise<string[]> => withClient(ownerUrl, describeRows)

const MIGRATIONS = new URL('../../app/server/db/migrations/', import.meta.url)
const password = deriveAppPassword(TEST_SECRET)
const STEPS = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.sql'))
  .sort()

/**
 * What stands in the way of processes of a release while those of this version serve on the same database: from these releases, all processes stop before
 * the first new one starts. From all others they are replaced one after the other.
 */
const NEEDS_STOP: Readonly<Record<string, readonly string[]>> = {
  '2026-11-28': [
    ...['created_at', 'created_by', 'question', 'response_id', 'site_id', 'survey_id', 'tag'].map(
      (name) => `column answer_tags.${name} is gone`,
    ),
    'column areas.dataset_id may be null',
    'column projects.replaced_version is gone',
    'column survey_exports.survey_id may be null',
    'constraint editor_presences_subject_check of editor_presences has changed',
    'constraint identity_providers_group_separator_check of identity_providers is new',
    'constraint official_responses_tells of official_responses is new',
    'constraint outbox_mails_site_id_file_id_fkey of outbox_mails is new',
    'constraint passkey_challenges_purpose_check of passkey_challenges has changed',
    'constraint revision_heads_subject_check of revision_heads has changed',
    'constraint site_deletions_was_check of site_deletions has changed',
    'constraint sites_added_languages_check of sites is new',
    'constraint sites_duties_check of sites is new',
    'constraint sites_duty_days_check of sites is new',
    'constraint survey_exports_format_check of survey_exports has changed',
    'constraint survey_exports_site_id_fkey of survey_exports is new',
    'constraint survey_exports_subject of survey_exports is new',
  ],
}

/** The migrations that a release did not have. */
function listStepsAfter(release: string): string[] {
  const had = new Set(readRelease(release).map(({ name }) => name))
  return STEPS.filter((name) => !had.has(name))
}

let freshSteps: string[]
let fresh: string[]
let freshRows: string[]
beforeAll(async () => {
  const ownerUrl = await createEmptyDatabase()
  freshSteps = await migrateDatabase(ownerUrl, password)
  fresh = await readSchema(ownerUrl)
  freshRows = await readFirstRows(ownerUrl)
})

test('a new installation runs every step in order', () => {
  expect(freshSteps).toEqual(STEPS)
})

test('a database from before the first release is refused, and left as it is', async () => {
  const ownerUrl = await createEmptyDatabase()
  await withClient(ownerUrl, async (client) => {
    await client.query('create table parley_migrations (name text primary key, applied_at timestamptz not null default now())')
    await client.query(`insert into parley_migrations (name) values ('0001-foundation.sql')`)
  })
  await expect(migrateDatabase(ownerUrl, password)).rejects.toThrow('before 1.0')
  expect(await withClient(ownerUrl, loadAppliedMigrations)).toEqual(['0001-foundation.sql'])
})

describe('a database of a former release', () => {
  test.each(listReleases())('%s becomes what a fresh install has', async (release) => {
    const ownerUrl = await buildRelease(release)
    const applied = await migrateDatabase(ownerUrl, password)
    expect(applied).toEqual(listStepsAfter(release))
    expect(await readSchema(ownerUrl)).toEqual(fresh)
    expect(await readFirstRows(ownerUrl)).toEqual(freshRows)
    expect(await withClient(ownerUrl, loadPendingMigrations)).toEqual([])
    expect(await migrateDatabase(ownerUrl, password), 'a second start has nothing to do').toEqual([])
  })

  test('is told apart from a fresh install by a single column, index, function, policy or grant', async () => {
    const changes = [
      'alter table sites add column surplus text',
      'alter table sites alter column slug drop not null',
      'drop index identity_role_rules_provider',
      'alter table hubs disable row level security',
      'create function surplus() returns int language sql as $$ select 1 $$',
      'alter table webhook_watches drop column enabled_at, add column enabled_at timestamptz not null',
      'alter table responses disable trigger record_added_responses',
      'alter table reach_salts set logged',
      "create aggregate surplus (integer) (sfunc = int4pl, stype = integer, initcond = '0')",
      "comment on table sites is 'surplus'",
    ]
    const ownerUrl = await createEmptyDatabase()
    await migrateDatabase(ownerUrl, password)
    for (const change of changes) {
      await withClient(ownerUrl, async (client) => {
        await client.query('begin')
        await client.query(change)
        const role = getAppRole(new URL(ownerUrl).pathname.slice(1))
        expect(
          (await describeSchema(client)).map((line) => line.replaceAll(role, 'the_app')),
          change,
        ).not.toEqual(fresh)
        await client.query('rollback')
      })
    }
    await withClient(ownerUrl, (client) => client.query(`delete from features where name = 'whitelist-embed'`))
    expect(await readFirstRows(ownerUrl)).not.toEqual(freshRows)
  })
})

describe('while an installation is upgraded, processes of a former release go on serving', () => {
  test.each(listReleases())('%s: the upgraded schema has everything that they read, and takes what they write', async (release) => {
    const ownerUrl = await buildRelease(release)
    const before = await readSchema(ownerUrl)
    expect(findBreaks(before, fresh)).toEqual(NEEDS_STOP[release] ?? [])
  })

  test('or what stands in the way would be found', async () => {
    const ownerUrl = await createEmptyDatabase()
    await migrateDatabase(ownerUrl, password)
    const changes = {
      'alter table webhook_watches drop column enabled_at': 'column webhook_watches.enabled_at is gone',
      'alter table webhook_watches rename column enabled_at to began_at': 'column webhook_watches.enabled_at is gone',
      'alter table webhook_watches alter column enabled_at type text': 'column webhook_watches.enabled_at has another type',
      'alter table webhook_watches alter column enabled_at drop not null': 'column webhook_watches.enabled_at may be null',
      'alter table hubs alter column published_at set not null': 'column hubs.published_at takes no null any more',
      'alter table webhook_watches add column colour text not null': 'column webhook_watches.colour is needed',
      'alter table sites add constraint short check (length(slug) < 9)': 'constraint short of sites is new',
      'drop table webhook_watches cascade': 'column webhook_watches.enabled_at is gone',
    }
    for (const [change, found] of Object.entries(changes))
      await withClient(ownerUrl, async (client) => {
        await client.query('begin')
        await client.query(change)
        const role = getAppRole(new URL(ownerUrl).pathname.slice(1))
        const after = (await describeSchema(client)).map((line) => line.replaceAll(role, 'the_app'))
        expect(findBreaks(fresh, after), change).toContain(found)
        await client.query('rollback')
      })
    // What is only added is no hindrance.
    const more = [
      ...fresh,
      'column sites.colour text text null YES default  generated  collation  at 99',
      'column shelves.id uuid uuid null NO default  generated  collation  at 1',
    ]
    expect(findBreaks(fresh, more)).toEqual([])
  })
})

/** A step after this version's, as a later one would have it. */
async function writeStep(sql: string): Promise<{ steps: MigrationStep[]; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-step-'))
  writeFileSync(join(folder, '9999-later.sql'), sql)
  const step = { name: '9999-later.sql', file: pathToFileURL(join(folder, '9999-later.sql')) }
  return { steps: [...(await listSteps()), step], remove: () => rmSync(folder, { recursive: true }) }
}

describe('while processes serve, a migration', () => {
  /** Runs `work` while another transaction holds a lock on the tables. */
  const whileHeld = (ownerUrl: string, tables: string, mode: string, work: (letGo: () => Promise<unknown>) => Promise<void>) =>
    withClient(ownerUrl, async (holder) => {
      await holder.query(`begin; lock table ${tables} in ${mode} mode`)
      await work(() => holder.query('rollback'))
    })

  test('touches no table but those that it changes', async ({ onTestFinished }) => {
    const ownerUrl = await createEmptyDatabase()
    await migrateDatabase(ownerUrl, password)
    const { rows } = await withClient(ownerUrl, (client) =>
      client.query<{ tables: string }>(
        `select string_agg(quote_ident(tablename), ', ') as tables from pg_tables where schemaname = 'public' and tablename <> 'parley_migrations'`,
      ),
    )
    const { steps, remove } = await writeStep('create table shelves (site_id uuid not null, id uuid primary key)')
    onTestFinished(remove)
    await whileHeld(ownerUrl, rows[0]?.tables ?? '', 'row exclusive', async () => {
      expect(await migrateDatabase(ownerUrl, password, { steps, giveUpAfterMs: 0 })).toEqual(['9999-later.sql'])
    })
    const lines = (await readSchema(ownerUrl)).filter((line) => !fresh.includes(line))
    expect(lines).toContainEqual(expect.stringMatching(/^policy shelves own_site PERMISSIVE \{public\} ALL/))
    expect(lines).toContainEqual(expect.stringMatching(/^table shelves r p true true .*the_app=arwd/))
    const others = lines.filter((line) => !line.includes('shelves'))
    expect(others, 'what was there stays as it was').toEqual([])
  })

  test('that waits for a table lets those pass who come after it, and goes on once the table is free', async ({ onTestFinished }) => {
    const ownerUrl = await createEmptyDatabase()
    await migrateDatabase(ownerUrl, password)
    const { steps, remove } = await writeStep('alter table hubs add column colour text')
    onTestFinished(remove)
    let done: string[] | undefined
    await whileHeld(ownerUrl, 'hubs', 'access share', async (letGo) => {
      const migrating = migrateDatabase(ownerUrl, password, { steps })
      void migrating.then((applied) => (done = applied))
      const waits: number[] = []
      await withClient(ownerUrl, async (reader) => {
        for (const end = performance.now() + 4000; performance.now() < end; await wait(20)) {
          const asked = performance.now()
          await reader.query('select from hubs')
          waits.push(performance.now() - asked)
        }
      })
      expect(Math.max(...waits), 'a request gives up after 3.5 s').toBeLessThan(2500)
      expect(Math.max(...waits), 'it has been in the way').toBeGreaterThan(300)
      expect(done).toBeUndefined()
      await letGo()
      await migrating
    })
    expect(done).toEqual(['9999-later.sql'])
  })

  test('says what it waits for if that takes too long, and leaves the table as it was', async ({ onTestFinished }) => {
    const ownerUrl = await createEmptyDatabase()
    await migrateDatabase(ownerUrl, password)
    const { steps, remove } = await writeStep('alter table hubs add column colour text')
    onTestFinished(remove)
    await whileHeld(ownerUrl, 'hubs', 'access share', async () => {
      await wait(2100)
      await expect(migrateDatabase(ownerUrl, password, { steps, giveUpAfterMs: 0 })).rejects.toThrow(
        /^The step 9999-later\.sql has to wait for a table that is in use, probably by process \d+ of the database, in a transaction that has been open for \d+ s:/,
      )
    })
    expect(await readSchema(ownerUrl)).toEqual(fresh)
    expect(await migrateDatabase(ownerUrl, password, { steps })).toEqual(['9999-later.sql'])
  })
})

describe('a database of a later version', () => {
  test('is served as long as nothing was taken away that this version needs', async ({ onTestFinished }) => {
    const ownerUrl = await createEmptyDatabase()
    const expanding = await writeStep(`-- needs: ${STEPS.at(-1)}\ncreate table shelves (site_id uuid not null, id uuid primary key)`)
    onTestFinished(expanding.remove)
    await migrateDatabase(ownerUrl, password, { steps: expanding.steps })
    const served = await readSchema(ownerUrl)
    expect(await withClient(ownerUrl, loadPendingMigrations)).toEqual([])
    expect(await migrateDatabase(ownerUrl, password)).toEqual([])
    expect(await readSchema(ownerUrl), 'and stays as it is').toEqual(served)
  })

  test('is refused if it needs a step that this version does not have', async ({ onTestFinished }) => {
    const ownerUrl = await createEmptyDatabase()
    const contracting = await writeStep('-- Nobody reads it since 9998.\n-- needs: 9998-other.sql\ndrop index identity_role_rules_provider')
    onTestFinished(contracting.remove)
    await migrateDatabase(ownerUrl, password, { steps: contracting.steps })
    await expect(withClient(ownerUrl, loadPendingMigrations)).rejects.toThrow('upgraded by a later version of Parley')
    await expect(migrateDatabase(ownerUrl, password)).rejects.toThrow('upgraded by a later version of Parley')
  })

  /** What the migrations of this version leave behind. */
  const needs = STEPS.flatMap((name) => readNeed(readFileSync(new URL(name, MIGRATIONS), 'utf8')) ?? [])

  test('needs steps that there are', () => {
    expect(needs.filter((need) => !STEPS.includes(`${need.replace('needs ', '')}.sql`))).toEqual([])
  })

  // 2026-11-28 looks for no such line: whoever upgrades from it has to read that all processes stop.
  test.each(listReleases().filter((name) => name !== '2026-11-28'))(
    'is refused by %s exactly if something stands in its way',
    (release) => {
      const had = new Set(readRelease(release).map(({ name }) => name))
      expect(findMissingNeed(needs, had) !== undefined).toBe(release in NEEDS_STOP)
    },
  )
})

describe('two processes that start at once on', () => {
  const [newest = ''] = listReleases().slice(-1)
  test.each([
    ['an empty database', createEmptyDatabase, STEPS],
    ['a database of the newest release', () => buildRelease(newest), listStepsAfter(newest)],
  ])('%s migrate it once', async (_name, build, expected) => {
    const ownerUrl = await build()
    const both = await Promise.all([migrateDatabase(ownerUrl, password), migrateDatabase(ownerUrl, password)])
    expect(both.flat()).toEqual(expected)
    expect(both).toContainEqual([])
    expect(await readSchema(ownerUrl)).toEqual(fresh)
  })
})
