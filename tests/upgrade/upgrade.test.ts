import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { deriveAppPassword, getAppRole } from '#app/server/connection-string.ts'
import { loadAppliedMigrations, loadPendingMigrations, migrateDatabase, withClient } from '#app/server/db/migrate.ts'
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
