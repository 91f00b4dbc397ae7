import { parse } from 'csv-parse/sync'
import { eq } from 'drizzle-orm'
import { readXlsx } from 'hucre/xlsx'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { moderationDecisions } from '#app/server/db/schema/moderation.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { decideOnContribution } from './decide.server.ts'
import { serveDecisionLog } from './decision-log.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')

let runtime: TestRuntime
let site: Site
let hub: { id: string }
let first: Person
let second: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOON)
  site = await addSite(runtime, { slug: 'riverbend' })
  first = await addPerson(runtime, site, { role: 'site_admin' })
  second = await addPerson(runtime, site, { role: 'site_admin' })
  hub = await addHub(runtime, site)
  const project = await addProject(runtime, site, { hubId: hub.id, status: 'published', publishedAt: new Date('2026-01-01') })
  const activity = await addActivity(runtime, site, { projectId: project.id })
  const author = await addPerson(runtime, site)
  const submittedAt = new Date('2026-03-02T06:30:00Z')
  const refused = await addContribution(runtime, site, {
    activityId: activity.id,
    number: 1,
    state: 'held',
    submittedAt,
    authorId: author.id,
  })
  const published = await addContribution(runtime, site, { activityId: activity.id, number: 2, state: 'held', submittedAt })
  const ctx = await asPerson(first)
  await decideOnContribution(ctx, refused.id, 'decline', { rule: 'abuse', words: '=HYPERLINK("it insults")' })
  runtime.setNow(new Date('2026-03-02T13:00:00Z'))
  await decideOnContribution(ctx, published.id, 'publish')
  const [decision] = await runtime.database
    .site(site.id)
    .tx((tx) => tx.select({ id: moderationDecisions.id }).from(moderationDecisions).where(eq(moderationDecisions.decision, 'decline')))
  const id = createId()
  const to = { decision: { type: 'moderation-decisions', id: decision?.id ?? '' } }
  await createApiClient(runtime, site, author.token).post(
    '/moderation-appeals',
    buildResourceDocument('moderation-appeals', { words: 'No.' }, { id, to }),
  )
  const upheld = buildResourceDocument('moderation-appeals', { state: 'upheld', answer: 'It insults.' }, { id })
  await createApiClient(runtime, site, second.token).patch(`/moderation-appeals/${id}`, upheld)
})
beforeEach(() => runtime.setNow(new Date('2026-03-02T14:00:00Z')))

const asPerson = async (person?: Person, of = site) =>
  createCtx(runtime, of, {
    language: 'en',
    viewer: await loadViewer({ db: runtime.database.site(of.id), database: runtime.database }, person?.token, runtime.now()),
  })
const download = async (format: 'csv' | 'xlsx', person?: Person, of = site) =>
  serveDecisionLog(format)({ context: { ctx: await asPerson(person, of) } as RequestContext })
const readCsv = async (person: Person, of = site) => {
  const answer = await download('csv', person, of)
  expect(answer.status).toBe(200)
  return parse<Record<string, string>>(await answer.text(), { columns: true, bom: true })
}

test('the log has a line for each decision, with its rule, who decided and its appeal', async () => {
  const lines = await readCsv(second)
  expect(lines).toMatchObject([
    {
      decided_at: '2026-03-02T12:00:00.000Z',
      decision: 'decline',
      rule: 'abuse',
      rule_version: '1',
      automatic: 'no',
      decided_by: 'site_admin',
      number: '1',
      subject: 'contribution',
      opened_by: 'before',
      hours: '5.5',
      appealed_by: 'author',
      appeal: 'upheld',
      appeal_answer: 'It insults.',
      appeal_decided_by: 'site_admin',
    },
    { decision: 'publish', rule: '', reason: '', number: '2', appeal: '' },
  ])
  // A spreadsheet does not run what somebody wrote.
  expect(lines[0]?.['reason']).toMatch(/^[^=]/)
})

test('the workbook says the same', async () => {
  const answer = await download('xlsx', second)
  expect(answer.headers.get('content-disposition')).toContain('moderation-2026-03-02.xlsx')
  const book = await readXlsx(new Uint8Array(await answer.arrayBuffer()))
  const rows = book.sheets[0]?.rows ?? []
  expect(rows.map((row) => [row[0], row[1], row[9]])).toEqual([
    ['decided_at', 'decision', 'number'],
    ['2026-03-02T12:00:00.000Z', 'decline', 1],
    ['2026-03-02T13:00:00.000Z', 'publish', 2],
  ])
})

test('shows moderators what they moderate, and nobody else anything', async () => {
  const here = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.id })
  const there = await addPerson(runtime, site, { role: 'hub_admin', hubId: (await addHub(runtime, site)).id })
  expect([(await readCsv(here)).length, (await readCsv(there)).length]).toEqual([2, 0])
  const elsewhere = await addSite(runtime, { slug: 'elsewhere' })
  expect(await readCsv(await addPerson(runtime, elsewhere, { role: 'site_admin' }), elsewhere)).toEqual([])
  expect((await download('csv', await addPerson(runtime, site))).status).toBe(403)
  expect((await download('csv')).status).toBe(401)
})

test('each download leaves a line in the trail', async () => {
  const load = () =>
    runtime.database.site(site.id).tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'moderation-decisions.export')))
  const before = (await load()).length
  await download('xlsx', first)
  const after = await load()
  expect(after).toHaveLength(before + 1)
  expect(after.filter(({ actorId }) => actorId === first.id).at(-1)).toMatchObject({ detail: { format: 'xlsx' } })
})
