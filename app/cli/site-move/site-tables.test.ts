import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { loadSiteTables } from '#app/features/sites/deletion/site-tables.server.ts'
import { createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { SEALED_COLUMNS } from '../sealed-columns.ts'
import { FILLED_BY_TRIGGERS, LATER_COLUMNS, LOOKED_INTO, MOVED_TABLES, orderForLoading, SHUFFLED_TABLES } from './site-tables.ts'

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})

const readLines = async (query: ReturnType<typeof sql>) =>
  (await runtime.database.global.execute<{ line: string }>(query)).rows.map(({ line }) => line).toSorted()

/** Tables that stay behind, by why. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'people sign in again': ['sessions', 'pending_sign_ins', 'passkey_challenges', 'saml_answers'],
  'over within minutes, and begun again': ['phone_codes', 'verification_texts', 'editor_presences', 'rate_limits'],
  'lets in the staff of the installation that the site leaves': ['support_grants'],
  'what two people read on sheets of paper: deleted when their batch is accepted, in no backup, and typed again': ['budget_paper_typings'],
  'leads from voters to their ballots: exists in one place only, and in no backup': ['budget_secrets'],
  'the files lie for a day on the machine that made them, and are asked for again': ['survey_exports'],
  'recognises the visitors of one day, and leaves no machine': ['reach_salts', 'reach_visits'],
  'which kept pages ended: nobody has kept any of a site that has just arrived': ['content_changes'],
  'filled by triggers when the rows arrive': ['search_words', 'search_places'],
  'counted again by a job': ['site_figures'],
  'of the installation, not of a site': ['features', 'job_turns', 'parley_migrations', 'site_deletions'],
}

test('every table moves with a site or is left out, with a reason', async () => {
  const tables = await readLines(sql`select tablename as line from pg_tables where schemaname = 'public'`)
  expect(['sites', 'site_domains', ...MOVED_TABLES, ...Object.values(LEFT_OUT).flat()].toSorted()).toEqual(tables)
  for (const named of [...FILLED_BY_TRIGGERS, ...SHUFFLED_TABLES, ...Object.keys(LATER_COLUMNS), ...Object.keys(LOOKED_INTO)])
    expect(MOVED_TABLES).toContain(named)
})

test('a table comes after those that its rows refer to, and none refers to one that is left out', async () => {
  const order = [
    'sites',
    'site_domains',
    ...orderForLoading(await runtime.database.site(crypto.randomUUID()).read(loadSiteTables)).map(({ name }) => name),
  ]
  const links = await readLines(
    sql`select distinct conrelid::regclass || ' ' || confrelid::regclass as line from pg_constraint
        where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`,
  )
  const wrong = links
    .map((line) => line.split(' '))
    .filter(
      ([from = '', to = '']) =>
        order.includes(from) && to !== 'features' && !(order.indexOf(to) >= 0 && order.indexOf(to) < order.indexOf(from)),
    )
  expect(wrong).toEqual([])
})

test('what points into its own table is set once all of its rows are there', async () => {
  const own = await readLines(
    sql`select distinct c.conrelid::regclass || '.' || a.attname as line from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
        where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conrelid = c.confrelid and a.attname <> 'site_id'`,
  )
  const later = Object.entries(LATER_COLUMNS).flatMap(([table, columns]) => Object.keys(columns).map((column) => `${table}.${column}`))
  expect(later.filter((name) => name !== 'budget_rounds.has_ballots').toSorted()).toEqual(own)
})

/** Sealed columns that are not sealed again, by why. */
const NOT_RESEALED = {
  'sites.sealed_key': 'moves as the signing key',
  'saml_answers.sealed_answer': 'the table is left out',
  'response_drafts.receipt_sealed': 'sealed for a sending that only the browser knows: the receipt is opened again',
  'responses.edit_receipt': 'the same',
}

test('every sealed credential is sealed again for the other installation', async () => {
  const sealed = await readLines(
    sql`select table_name || '.' || column_name as line from information_schema.columns
        where table_schema = 'public' and (column_name like '%sealed%' or column_name = 'edit_receipt')`,
  )
  expect([...SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`), ...Object.keys(NOT_RESEALED)].toSorted()).toEqual(sealed)
})
