import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exportPerson } from '#app/features/people/people.activity.server.ts'
import { exportResponses } from '#app/features/surveys/export/export-responses.server.ts'
import { createCtx, withApiViewer, withViewer } from '#app/server/context.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { type Account, addAccount, PASSWORD, readToken, requireItem } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Account
let token: string
const start = new Date('2026-11-24T09:00:00Z')
const later = (minutes: number) => runtime.setNow(new Date(start.getTime() + minutes * 60_000))

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addAccount(runtime, site, { role: 'site_admin' })
})
beforeEach(async () => {
  runtime.setNow(start)
  const answer = await createApiClient(runtime, site).post(
    '/sessions',
    buildResourceDocument('sessions', { email: admin.email, password: PASSWORD }),
  )
  token = readToken(answer)
})

const api = () => createApiClient(runtime, site, token)
const post = (type: string, attributes: Record<string, unknown>, more: Parameters<typeof buildResourceDocument>[2] = {}) =>
  api().post(`/${type}`, buildResourceDocument(type, attributes, more))
const inAWeek = () => new Date(runtime.now().getTime() + 7 * 86_400_000).toISOString()
const newToken = () => post('api-tokens', { name: 'Open data', scopes: ['responses:write'], expiresAt: inAWeek() })

describe('what a forgotten session must not do', () => {
  const ACTS: [what: string, act: () => Promise<{ status: number; codes: string[] }>][] = [
    ['making an API token', newToken],
    ['giving a role', () => post('memberships', { role: 'site_admin', email: `new-${Math.random()}@example.org` })],
    ['installing an integration', () => post('installations', { integration: 'segment', settings: { writeKey: 'abcdefgh' } })],
    [
      'erasing a person',
      async () => {
        const person = await addPerson(runtime, site)
        return post('account-deletions', { reason: 'They asked' }, { to: { user: { type: 'users', id: person.id } } })
      },
    ],
    [
      'merging two people',
      async () => {
        const [from, into] = [await addPerson(runtime, site), await addPerson(runtime, site)]
        const project = await addProject(runtime, site)
        const follows = [from, into].map(({ id: userId }) => ({ siteId: site.id, projectId: project.id, userId }))
        await runtime.database.site(site.id).tx((tx) => tx.insert(projectFollows).values(follows))
        return post('user-merges', {}, { to: { from: { type: 'users', id: from.id }, into: { type: 'users', id: into.id } } })
      },
    ],
  ]

  test.each(ACTS)('%s is refused 15 minutes after signing in, and works once confirmed', async (_, act) => {
    later(16)
    const refused = await act()
    expect([refused.status, refused.codes]).toEqual([403, ['fresh-sign-in-required']])
    expect((await post('session-confirmations', { password: PASSWORD })).status).toBe(201)
    const done = await act()
    expect(done.codes).toEqual([])
    expect(done.status).toBe(201)
  })

  test('exports of personal data, while exports without it go on', async () => {
    const project = await addProject(runtime, site, { slug: 'quay' })
    const survey = await addSurvey(runtime, site, { projectId: project.id })
    const person = await addPerson(runtime, site)
    const ctx = () => withViewer(createCtx(runtime, site, { reason: 'The data officer asks' }), token)
    const file = (current: Awaited<ReturnType<typeof ctx>>, personal: boolean) =>
      exportResponses(current, { surveyId: survey.id, personal, format: 'csv' })
    later(14)
    expect((await file(await ctx(), true)).filename).toBeTruthy()
    later(16)
    await expect(file(await ctx(), true)).rejects.toMatchObject({ code: 'fresh-sign-in-required' })
    await expect(exportPerson(await ctx(), person.id)).rejects.toMatchObject({ code: 'fresh-sign-in-required' })
    expect((await file(await ctx(), false)).filename).toBeTruthy()
  })

  test('nothing else is asked for again', async () => {
    later(60)
    const answer = await api().patch(`/sites/${site.id}`, buildResourceDocument('sites', { name: 'Riverbend' }, { id: site.id }))
    expect(answer.status).toBe(200)
  })

  test('an API token goes on within its scopes: it was made by a fresh sign-in', async () => {
    const made = requireItem(await newToken())
    const project = await addProject(runtime, site, { slug: 'square' })
    const survey = await addSurvey(runtime, site, { projectId: project.id })
    later(120)
    const ctx = await withApiViewer(createCtx(runtime, site), String(made.attributes['token']))
    expect((await exportResponses(ctx, { surveyId: survey.id, personal: true, format: 'csv' })).filename).toBeTruthy()
  })

  test('the confirmation counts for the session that gave it only', async () => {
    later(16)
    const other = readToken(
      await createApiClient(runtime, site).post('/sessions', buildResourceDocument('sessions', { email: admin.email, password: PASSWORD })),
    )
    later(40)
    expect((await post('session-confirmations', { password: PASSWORD })).status).toBe(201)
    const elsewhere = createApiClient(runtime, site, other)
    const attributes = { name: 'Other', scopes: ['audit:read'], expiresAt: inAWeek() }
    expect((await elsewhere.post('/api-tokens', buildResourceDocument('api-tokens', attributes))).codes).toEqual(['fresh-sign-in-required'])
  })
})
