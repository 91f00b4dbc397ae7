import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiResources } from '#app/root/api-resources.ts'
import { TYPES_BY_AREA, TYPES_FOR_ALL_TOKENS } from '#app/server/api/token-scopes.ts'
import { createCtx, withViewer } from '#app/server/context.ts'
import { apiTokens, memberships, users } from '#app/server/db/schema/accounts.ts'
import type { Site } from '#app/server/site-directory.ts'
import { buildResourceDocument, createApiClient, type ApiAnswer } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

/** What belongs to a person and not to a program: their account, who else holds which rights, and the platform. */
const TYPES_WITHOUT_TOKENS = [
  'account-deletions',
  'api-tokens',
  'browser-tokens',
  'budget-ballots',
  'budget-paper-batches',
  'budget-paper-sheets',
  'budget-paper-typings',
  'calendar-links',
  'crowds',
  'draft-links',
  'email-changes',
  'email-confirmations',
  'feature-switches',
  'identities',
  'identity-admissions',
  'identity-provider-keys',
  'identity-provider-tests',
  'identity-provider-agreements',
  'identity-provider-changes',
  'identity-providers',
  'identity-requests',
  'invitation-links',
  'invitations',
  'job-turns',
  'memberships',
  'notifications',
  'open-support-grants',
  'own-data',
  'password-changes',
  'password-resets',
  'report-links',
  'report-views',
  'sandbox-texts',
  'saved-views',
  'second-step-resets',
  'session-confirmations',
  'sessions',
  'site-administrators',
  'site-deletions',
  'site-domains',
  'site-figures',
  'site-invitations',
  'site-suspensions',
  'sites',
  'support-entries',
  'support-grants',
  'user-merges',
  'webhook-secrets',
]
const DAY_MS = 86_400_000
let runtime: TestRuntime
let site: Site
let admin: Person

interface Made {
  id: string
  attributes: { token?: string; state: string; lastUsedAt: string | null; maker: string }
  relationships?: { project?: { data: unknown } }
}
const as = (token?: string, at = site) => createApiClient(runtime, at, token)
const inDays = (days: number) => new Date(runtime.now().getTime() + days * DAY_MS).toISOString()
const ask = (scopes: string[], person: Person = admin, more: object = {}) =>
  as(person.token).post('/api-tokens', buildResourceDocument('api-tokens', { name: 'Export', scopes, expiresAt: inDays(30), ...more }))
const one = (answer: ApiAnswer) => answer.body?.data as Made

async function make(scopes: string[], person: Person = admin): Promise<{ id: string; token: string }> {
  const made = one(await ask(scopes, person))
  return { id: made.id, token: made.attributes.token ?? '' }
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
})
beforeEach(async () => {
  admin = await addPerson(runtime, site, { role: 'site_admin', login: 'Ana' })
})

describe('a token for a program', () => {
  test('is shown once, and stored as a hash only', async () => {
    const answer = await ask(['content:read'])
    const { id, attributes } = one(answer)
    expect([answer.status, attributes.state, attributes.maker, attributes.lastUsedAt]).toEqual([201, 'active', 'Ana', null])
    expect(attributes.token).toMatch(/^\S{40,}$/)
    expect(one(await as(admin.token).get(`/api-tokens/${id}`)).attributes).not.toHaveProperty('token')
    const rows = await runtime.database.site(site.id).tx((tx) => tx.select().from(apiTokens).where(eq(apiTokens.id, id)))
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(attributes.token)
  })

  test('is made, seen and revoked by site administrators only', async () => {
    const { id } = await make(['content:read'])
    for (const role of ['hub_admin', 'project_admin'] as const) {
      const other = await addPerson(runtime, site, { role })
      expect((await ask(['content:read'], other)).status).toBe(403)
      expect((await as(other.token).get('/api-tokens')).status).toBe(403)
      expect((await as(other.token).delete(`/api-tokens/${id}`)).status).toBe(404)
    }
    expect((await as().get('/api-tokens')).status).toBe(401)
  })

  test('needs a name, a scope, and an end within a year', async () => {
    const { codes } = await ask([], admin, { name: ' ' })
    expect(codes.toSorted()).toEqual(['required', 'required'])
    expect((await ask(['everything'])).codes).toEqual(['not-a-choice'])
    expect((await ask(['content:read'], admin, { expiresAt: inDays(-1) })).codes).toEqual(['moment-passed'])
    expect((await ask(['content:read'], admin, { expiresAt: inDays(400) })).codes).toEqual(['out-of-range'])
  })

  test('reads and writes what its scopes name, and nothing else', async () => {
    const reader = as((await make(['content:read'])).token)
    const writer = as((await make(['content:write'])).token)
    const draft = buildResourceDocument('projects', { slug: 'by-a-program', titleTranslations: { en: 'Bridge' } })
    expect((await reader.post('/projects', draft)).status).toBe(403)
    const made = await writer.post('/projects', draft)
    expect(made.status).toBe(201)
    expect((await reader.get(`/projects/${one(made).id}`)).status).toBe(200)
    for (const path of ['/users', '/users/' + admin.id, '/surveys', '/audit-events', '/sessions', '/api-tokens'])
      expect([path, (await writer.get(path)).status]).toEqual([path, 403])
    expect((await reader.get('/current-user')).status).toBe(200)
  })

  test('never leads around its scopes by links or includes', async () => {
    const project = one(
      await as(admin.token).post('/projects', buildResourceDocument('projects', { slug: 'linked', titleTranslations: { en: 'Linked' } })),
    ).id
    const to = { project: { type: 'projects', id: project } }
    const survey = one(
      await as(admin.token).post('/surveys', buildResourceDocument('surveys', { titleTranslations: { en: 'Asked' } }, { to })),
    ).id
    const both = as((await make(['surveys:read', 'content:read'])).token)
    const surveys = as((await make(['surveys:read'])).token)
    expect((await both.get(`/surveys/${survey}?include=project`)).body?.included).toHaveLength(1)
    expect((await both.get(`/surveys/${survey}/project`)).status).toBe(200)
    expect(one(await both.get(`/surveys/${survey}`)).relationships?.project?.data).toEqual(to.project)
    expect(one(await surveys.get(`/surveys/${survey}`)).relationships?.project?.data).toBeNull()
    expect((await surveys.get(`/surveys/${survey}?include=project`)).body?.included).toEqual([])
    const related = await surveys.get(`/surveys/${survey}/project`)
    expect(JSON.stringify(related.body)).not.toContain('Linked')
  })

  test('cannot make, see or revoke tokens, or give roles', async () => {
    const every = as((await make(Object.keys(TYPES_BY_AREA).map((area) => `${area}:write`))).token)
    expect(
      (
        await every.post(
          '/api-tokens',
          buildResourceDocument('api-tokens', { name: 'More', scopes: ['content:write'], expiresAt: inDays(1) }),
        )
      ).status,
    ).toBe(403)
    expect((await every.post('/memberships', buildResourceDocument('memberships', { role: 'site_admin' }))).status).toBe(403)
    expect((await every.post('/password-changes', buildResourceDocument('password-changes', {}))).status).toBe(403)
  })

  test('loses what its maker loses', async () => {
    const { token } = await make(['audit:read'])
    expect((await as(token).get('/audit-events')).status).toBe(200)
    await runtime.database.site(site.id).tx((tx) => tx.delete(memberships).where(eq(memberships.userId, admin.id)))
    expect((await as(token).get('/audit-events')).status).toBe(403)
    await runtime.database.site(site.id).tx((tx) => tx.update(users).set({ blockedAt: new Date() }).where(eq(users.id, admin.id)))
    expect((await as(token).get('/current-site')).status).toBe(401)
  })

  test('ends when it is revoked, and at its date', async () => {
    const { id, token } = await make(['content:read'])
    expect((await as(token).get('/projects')).status).toBe(200)
    expect((await as(admin.token).delete(`/api-tokens/${id}`)).status).toBe(204)
    expect((await as(token).get('/projects')).status).toBe(401)
    expect(one(await as(admin.token).get(`/api-tokens/${id}`)).attributes.state).toBe('revoked')
    const other = await make(['content:read'])
    await runtime.database.site(site.id).tx((tx) =>
      tx
        .update(apiTokens)
        .set({ expiresAt: new Date(runtime.now().getTime() - 1000) })
        .where(and(eq(apiTokens.siteId, site.id), eq(apiTokens.id, other.id))),
    )
    expect((await as(other.token).get('/projects')).status).toBe(401)
  })

  test('works on its own site only, and never as a browser’s session', async () => {
    const { token } = await make(['content:read'])
    const elsewhere = await addSite(runtime, { slug: `other-${Date.now()}` })
    expect((await as(token, elsewhere).get('/projects')).status).toBe(401)
    expect((await withViewer(createCtx(runtime, site), token)).viewer.kind).toBe('visitor')
  })

  test('shows when it was last used, and the audit log names it', async () => {
    const { id, token } = await make(['content:write'])
    await as(token).post('/projects', buildResourceDocument('projects', { slug: 'noted', titleTranslations: { en: 'Noted' } }))
    expect(one(await as(admin.token).get(`/api-tokens/${id}`)).attributes.lastUsedAt).not.toBeNull()
    const events = ((await as(admin.token).get('/audit-events?page[size]=5')).body?.data ?? []) as {
      attributes: { action: string; detail: object }
    }[]
    expect(events.find(({ attributes }) => attributes.action === 'projects.create')?.attributes.detail).toMatchObject({
      apiToken: 'Export',
    })
    expect(events.map(({ attributes }) => attributes.action)).toContain('api-tokens.create')
    expect(JSON.stringify(events)).not.toContain(token)
  })
})

test('every type of the API is in one area of scopes, or on a list of its own', () => {
  const listed = [...Object.values(TYPES_BY_AREA).flat(), ...TYPES_FOR_ALL_TOKENS, ...TYPES_WITHOUT_TOKENS]
  expect(listed.toSorted()).toEqual(apiResources.resources.map(({ shape }) => shape.type).toSorted())
})
