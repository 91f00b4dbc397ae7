import { desc, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { exportActivity } from '#app/features/contributions/results/activity-export.server.ts'
import { exportAttendanceList } from '#app/features/events/managing/attendance-list.server.ts'
import { exportPerson } from '#app/features/people/people.activity.server.ts'
import { exportResponses } from '#app/features/surveys/export/export-responses.server.ts'
import { createCtx, withApiViewer, withViewer } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addEvent } from '#tests/factories/events.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { requireItem } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
let surveyId: string
let activityId: string
let eventId: string
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  const { id: projectId } = await addProject(runtime, site)
  surveyId = (await addSurvey(runtime, site, { projectId })).id
  activityId = (await addActivity(runtime, site, { projectId })).id
  eventId = (await addEvent(runtime, site, { projectId })).id
})

const ctxWith = (reason?: string) => withViewer(createCtx(runtime, site, reason === undefined ? {} : { reason }), admin.token)
const loadLastReason = async () => {
  const [last] = await runtime.database
    .site(site.id)
    .tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.siteId, site.id)).orderBy(desc(auditEvents.sequence)).limit(1))
  return (last?.detail as { reason?: string } | undefined)?.reason
}

const DOWNLOADS = {
  'answers with names': (ctx) => exportResponses(ctx, { surveyId, personal: true, format: 'csv' }),
  'contributions with names': (ctx) => exportActivity(ctx, activityId, { personal: true, format: 'csv' }),
  'people who signed up for an event': (ctx) => exportAttendanceList(ctx, eventId),
  'everything about a person': (ctx) => exportPerson(ctx, admin.id),
} satisfies Record<string, (ctx: Awaited<ReturnType<typeof ctxWith>>) => Promise<unknown>>

test.each(Object.entries(DOWNLOADS))('%s: nobody gets it without a reason, which the audit trail keeps', async (_, download) => {
  for (const reason of [undefined, '', '  ', 'x'.repeat(401)])
    await expect(download(await ctxWith(reason))).rejects.toMatchObject({ code: 'reason-required', status: 422 })
  await download(await ctxWith(' The auditors ask '))
  expect(await loadLastReason()).toBe('The auditors ask')
})

test('a file without names needs no reason', async () => {
  const file = await exportResponses(await ctxWith(), { surveyId, personal: false, format: 'csv' })
  expect(file.filename).toMatch(/csv$/)
})

test('a file that the API makes needs one in its attributes; a program’s token says by its name what it is for', async () => {
  const api = createApiClient(runtime, site, admin.token)
  const ask = (client: typeof api, attributes: Record<string, unknown>) =>
    client.post(
      '/exports',
      buildResourceDocument(
        'exports',
        { format: 'csv', personal: true, ...attributes },
        { to: { survey: { type: 'surveys', id: surveyId } } },
      ),
    )
  const refused = await ask(api, {})
  expect([refused.status, refused.body?.errors?.[0]]).toMatchObject([
    422,
    { code: 'reason-required', source: { pointer: '/data/attributes/reason' } },
  ])
  expect((await ask(api, { reason: 'To answer them' })).status).toBe(201)
  expect(await loadLastReason()).toBe('To answer them')
  const expiresAt = new Date(Date.now() + 864e5).toISOString()
  const made = await api.post(
    '/api-tokens',
    buildResourceDocument('api-tokens', { name: 'Records archive', scopes: ['surveys:read', 'responses:write'], expiresAt }),
  )
  const token = String(requireItem(made).attributes['token'])
  expect((await ask(createApiClient(runtime, site, token), {})).status).toBe(201)
  expect(await loadLastReason()).toBe('Records archive')
  const ctx = await withApiViewer(createCtx(runtime, site), token)
  await exportResponses(ctx, { surveyId, personal: true, format: 'csv' })
  expect(await loadLastReason()).toBe('Records archive')
})
