import { beforeAll, expect, test } from 'vitest'
import { OWN_DATA } from '#app/features/people/own-data.registry.server.ts'
import { createCtx } from '#app/server/context.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { readAsOwner } from '#tests/support/traces.ts'
import { exportRecord } from './export-record.server.ts'
import { NOT_PERSONAL } from '#tests/support/not-personal.ts'
import { PRIVACY_RECORD, type RecordEntry } from './privacy-record.ts'

const RECORD: readonly RecordEntry[] = PRIVACY_RECORD
let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})

/** Columns that can hold words, or refer to a person. */
const readColumns = () =>
  readAsOwner<{ table: string; column: string }>(
    runtime.ownerUrl,
    `select table_name as table, column_name as column from information_schema.columns c
     where table_schema = 'public' and table_name <> 'parley_migrations' and (data_type in ('text', 'jsonb', 'bytea', 'ARRAY')
       or column_name ~ '(_by|user_id|author_id|assignee_id|reporter_id|appellant_id|maker_id|actor_id|editor_id|coder_id)$' and data_type = 'uuid'
       or exists (select from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[array_upper(f.conkey, 1)]
         where f.contype = 'f' and f.confrelid = 'users'::regclass and f.conrelid::regclass::text = c.table_name and a.attname = c.column_name))`,
  )

const matches = (field: string, { table, column }: { table: string; column: string }) =>
  field === `${table}.${column}` || field === `${table}.*` || field === `*.${column}`
const describeColumn = ({ table, column }: { table: string; column: string }) => `${table}.${column}`

test('every column that may be personal is in the record, or in the list of those that are not, with the reason', async () => {
  const known = [...RECORD.flatMap(({ fields }) => fields), ...Object.values(NOT_PERSONAL).flat()]
  const columns = await readColumns()
  expect(columns.length).toBeGreaterThan(400)
  expect(columns.filter((column) => !known.some((field) => matches(field, column))).map(describeColumn)).toEqual([])
})

test('the record and the list name no column that does not exist', async () => {
  const columns = await readColumns()
  const named = [...RECORD.flatMap(({ fields }) => fields), ...Object.values(NOT_PERSONAL).flat()]
  expect(named.filter((field) => !columns.some((column) => matches(field, column)))).toEqual([])
})

test('a column that refers to an account is never called impersonal', async () => {
  const columns = await readAsOwner<{ table: string; column: string }>(
    runtime.ownerUrl,
    `select f.conrelid::regclass::text as table, a.attname as column from pg_constraint f
     join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[array_upper(f.conkey, 1)]
     where f.contype = 'f' and f.confrelid = 'users'::regclass`,
  )
  const personal = RECORD.flatMap(({ fields }) => fields)
  expect(columns.filter((column) => !personal.some((field) => matches(field, column))).map(describeColumn)).toEqual([])
})

test('each section of what a person downloads belongs to one entry, and each entry names sections that exist', () => {
  const named = RECORD.flatMap(({ download }) => download)
  expect(named.toSorted()).toEqual(OWN_DATA.map(({ name }) => name).toSorted())
})

test('a verification ends by itself and goes with the account; hashes of lists and codes lead to nobody and stay until their end', async () => {
  const entryOf = (field: string) => RECORD.find(({ fields }) => fields.includes(field))
  const held = entryOf('verifications.subject_hash')
  expect(held).toMatchObject({ retention: 'verification', seenBy: ['person', 'site-admins'], erasure: 'deleted' })
  for (const field of ['eligibility_entries.hash', 'verification_codes.hash', 'verification_texts.phone_hash'])
    expect(entryOf(field)).toMatchObject({ retention: 'eligibility', seenBy: ['nobody'], download: [], erasure: 'unlinkable' })
  // What the database does when the account goes, and what has no account to go with.
  const deleted = await readAsOwner<{ table: string }>(
    runtime.ownerUrl,
    `select conrelid::regclass::text as table from pg_constraint where contype = 'f' and confrelid = 'users'::regclass and confdeltype = 'c'`,
  )
  const tables = deleted.map(({ table }) => table)
  expect(tables).toContain('verifications')
  for (const table of ['eligibility_entries', 'verification_codes', 'verification_texts']) expect(tables).not.toContain(table)
  // No other kind of data shares what is said of how long verifications are stored.
  for (const retention of ['verification', 'eligibility'] as const)
    expect(RECORD.filter((entry) => entry.retention === retention)).toHaveLength(1)
})

test('no field is in two entries', () => {
  const fields = RECORD.flatMap((entry) => entry.fields)
  expect(fields.filter((field, index) => fields.indexOf(field) !== index)).toEqual([])
})

test('everybody who works in the administration can download it in their language, a line for each field; nobody else', async () => {
  const site = await addSite(runtime)
  const download = async (account?: Account) => {
    const ctx = account ? await account.ctx({ language: 'fr-CA' }) : createCtx(runtime, site)
    return exportRecord({ context: { ctx } as Parameters<typeof exportRecord>[0]['context'] })
  }
  expect((await download()).status).toBe(401)
  expect((await download(await addAccount(runtime, site))).status).toBe(403)
  const answer = await download(await addAccount(runtime, site, { role: 'hub_admin' }))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = (await answer.text()).trim().split('\r\n')
  expect(lines).toHaveLength(RECORD.flatMap(({ fields }) => fields).length + 1)
  expect(lines.find((line) => line.includes('mail_consents,email'))).toContain('Consentement aux courriels')
  expect(lines.find((line) => line.includes('outbox_mails,'))).toContain('90 jours après l’envoi ou l’abandon')
  expect(lines.find((line) => line.includes('one_time_links,email'))).toContain('les liens sont supprimés 30 jours plus tard')
})
