import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { erasePerson } from '#app/features/people/people.server.ts'
import { mergePeople } from '#app/features/people/people.merge.server.ts'
import { readOwnData } from '#app/features/people/own-data.server.ts'
import { requestExport } from '#app/features/surveys/export/exports.server.ts'
import { makeExports } from '#app/features/surveys/export/make-exports.server.ts'
import { findWrongCounts } from '#app/features/surveys/responses/response-counts.server.ts'
import { JOBS } from '#app/root/jobs.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addBusyPerson, BUSY, BUSY_OPINION } from '#tests/factories/busy-person.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { findInDatabase, findInFiles, readAsOwner } from '#tests/support/traces.ts'

let runtime: TestRuntime
let site: Site
let admin: Account
let ann: Account
let surveyId: string
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addAccount(runtime, site, { role: 'site_admin', login: 'Frances First' })
  ;({ account: ann, surveyId } = await addBusyPerson(runtime, site))
  const duplicate = await addAccount(runtime, site, { login: BUSY.name })
  const ctx = await admin.ctx()
  await mergePeople(ctx, { from: duplicate.id, into: ann.id })
  await requestExport(ctx, { surveyId, format: 'csv', personal: true, reason: 'The data officer asks' })
  await makeExports(runtime)
})
afterAll(() => rm(runtime.env.DATA_DIR, { recursive: true, force: true }))

const WORDS = Object.values(BUSY)

/** What stays after erasure, and why. */
const STAYS: Record<string, string> = {
  'audit_events.address': 'where a recorded act came from: the trail is a chain that cannot be rewritten',
  'mail_consents.email': 'proof of consent, and of its withdrawal',
  'mail_consents.address': 'where consent came from',
  'sms_consents.phone': 'proof of consent, and of STOP',
  'sms_consents.address': 'where consent came from',
}

/** Columns that keep an account's id, which no longer leads to a name. */
const KEEPS_ID = new Set(['audit_events.actor_id', 'audit_events.subject_id', 'audit_events.detail'])

/** Columns that refer to an account only because its holder works for the council. Their rows stay, without the id. */
const OF_STAFF = [
  'budget_counts.created_by',
  'budget_overrides.created_by',
  'budget_paper_batches.accepted_by',
  'budget_paper_batches.created_by',
  'budget_paper_typings.typed_by',
  'budget_results.certified_by',
  'budget_results.counted_by',
  'contribution_links.created_by',
  'contribution_links.ended_by',
  'contribution_notes.author_id',
  'crowds.decided_by',
  'identity_providers.maker_id',
  'moderation_appeals.decided_by',
  'moderation_decisions.decided_by',
  'official_answer_sets.agreed_by',
  'official_answer_sets.asked_by',
  'official_answer_sets.returned_by',
  'official_answer_sets.written_by',
  'official_response_drafts.asked_by',
  'official_response_drafts.returned_by',
  'official_response_drafts.written_by',
  'person_notes.author_id',
  'team_comments.author_id',
  'team_comments.resolved_by',
  'team_tasks.assigned_by',
  'team_tasks.created_by',
  'team_tasks.done_by',
  'team_tasks.owner_id',
  'text_translations.corrected_by',
]

test('a person is in every table that can refer to an account, or the searches below would prove nothing', async () => {
  const columns = await readAsOwner<{ name: string; table: string; column: string }>(
    runtime.ownerUrl,
    `select c.conrelid::regclass || '.' || a.attname as name, c.conrelid::regclass::text as table, a.attname as column
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[array_upper(c.conkey, 1)]
     where c.contype = 'f' and c.confrelid = 'users'::regclass`,
  )
  expect(columns.length).toBeGreaterThan(35)
  const missing: string[] = []
  for (const { name, table, column } of columns) {
    const rows = await readAsOwner(runtime.ownerUrl, `select 1 from ${table} where ${column} = $1 limit 1`, [ann.id])
    if (rows.length === 0) missing.push(name)
  }
  expect(missing.toSorted()).toEqual(OF_STAFF)
})

test('everything that they told is stored, and in what they download', async () => {
  const stored = await findInDatabase(runtime.ownerUrl, WORDS)
  const download = JSON.stringify(await readOwnData(await ann.ctx()))
  const missing = (where: string) => WORDS.filter((word) => !where.includes(word))
  expect(missing(stored.join('\n'))).toEqual([])
  expect(missing(download)).toEqual([])
  expect(findInFiles(runtime.env.DATA_DIR, WORDS).length).toBeGreaterThan(2)
})

test('after erasure nothing of it is left in any column or file, except what has to stay', async () => {
  await erasePerson(await admin.ctx(), { userId: ann.id, reason: 'Asked by letter' })
  for (const name of ['count-responses', 'expire-exports', 'sweep-response-files', 'sweep-contribution-photos'] as const)
    await JOBS.find((job) => job.name === name)?.run(runtime, new AbortController().signal)
  const left = await findInDatabase(runtime.ownerUrl, WORDS)
  expect(left.filter((one) => !((one.split(': ')[0] ?? '') in STAYS))).toEqual([])
  const columns = new Set(left.map((one) => one.split(': ')[0]))
  expect(Object.keys(STAYS).filter((column) => !columns.has(column))).toEqual([])
  expect(findInFiles(runtime.env.DATA_DIR, WORDS)).toEqual([])
  const ids = await findInDatabase(runtime.ownerUrl, [ann.id])
  expect(ids.map((one) => one.split(': ')[0] ?? '').filter((column) => !KEEPS_ID.has(column))).toEqual([])
  expect(await runtime.database.site(site.id).tx((tx) => findWrongCounts(tx, site.id, surveyId))).toEqual([])
  expect(await findInDatabase(runtime.ownerUrl, [BUSY_OPINION])).toEqual([`responses.answers: ${BUSY_OPINION}`])
})
