import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { readLibrariesDetails } from '#app/features/libraries/libraries.server.ts'
import { sendDueMessages } from '#app/features/sms/deliver-messages.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { siteFeatures, sites } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const runtime = await createTestRuntime({ INTERCOM_APP_ID: 'app-1', OUTGOING_LOOPBACK: '1' })
let site: Site
let admin: Person
let ctx: Ctx
let api: ReturnType<typeof createApiClient>

const switchSms = (enabled: boolean) =>
  ctx.db.tx((tx) =>
    tx
      .insert(siteFeatures)
      .values({ siteId: site.id, name: 'marketplace_sms_integration', enabled })
      .onConflictDoUpdate({ target: [siteFeatures.siteId, siteFeatures.name], set: { enabled } }),
  )

beforeEach(async () => {
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, admin.token)
  await switchSms(true)
})

const one = (answer: ApiAnswer) => answer.body?.data as { id: string; attributes: Record<string, unknown>; meta: { lockVersion: number } }
const install = async (integration = 'sms-sandbox', settings: Record<string, unknown> = { sender: 'Riverbend' }) => {
  const made = await api.post('/installations', buildResourceDocument('installations', { integration, settings }))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return one(made)
}
const change = async (id: string, attributes: Record<string, unknown>) => {
  const { meta } = one(await api.get(`/installations/${id}`))
  return api.patch(`/installations/${id}`, buildResourceDocument('installations', attributes, { id, lockVersion: meta.lockVersion }))
}
const sendText = (attributes: Record<string, unknown>) => api.post('/sms-messages', buildResourceDocument('sms-messages', attributes))

describe('the catalogue', () => {
  test('describes each integration, the data it sends and its settings in the reader’s language', async () => {
    const fr = createApiClient(runtime, site, admin.token, { headers: { 'accept-language': 'fr-CA' } })
    const { attributes } = one(await fr.get('/integrations/sms-sandbox'))
    expect(attributes).toMatchObject({
      name: 'Bac à sable des textos',
      category: 'sms',
      leaves: [],
      fields: [
        { name: 'sender', kind: 'text', label: 'Expéditeur', secret: false, required: true, choices: [] },
        { name: 'pricePerText', kind: 'number', required: false, preset: null },
        { name: 'currency', kind: 'choice', preset: 'CAD' },
        { name: 'textsAMonth', kind: 'number', label: 'Maximum de textos par mois', required: false, preset: null },
      ],
    })
  })

  test('hides everything about SMS while the feature is off', async () => {
    const { id } = await install()
    await change(id, { enabled: true })
    await switchSms(false)
    expect(JSON.stringify((await api.get('/integrations')).body)).not.toContain('sms-')
    expect((await api.get('/integrations/sms-sandbox')).status).toBe(404)
    expect((await api.get(`/installations/${id}`)).status).toBe(404)
    expect((await api.get('/sms-messages')).status).toBe(404)
    expect((await sendText({ phone: '613 555 0123', body: 'Hello' })).status).toBe(404)
    expect((await api.post('/installations', buildResourceDocument('installations', { integration: 'sms-sandbox' }))).codes).toEqual([
      'not-a-choice',
    ])
  })
})

describe('an installation', () => {
  test('is created, tested, enabled, disabled and removed, and each step is audited', async () => {
    const { id, attributes } = await install()
    expect(attributes).toMatchObject({
      enabled: false,
      health: 'untested',
      settings: { sender: 'Riverbend', currency: 'CAD' },
      secretsSet: [],
    })
    const tested = await api.post(
      '/installation-tests',
      buildResourceDocument('installation-tests', {}, { to: { installation: { type: 'installations', id } } }),
    )
    expect(one(tested).attributes).toMatchObject({ fault: null })
    expect(one(await change(id, { enabled: true })).attributes).toMatchObject({ enabled: true, health: 'working' })
    expect(one(await change(id, { enabled: false })).attributes).toMatchObject({ enabled: false })
    expect((await api.delete(`/installations/${id}`)).status).toBe(204)
    expect(await ctx.db.tx((tx) => tx.select().from(installations))).toEqual([])
    const events = await ctx.db.tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, id)).orderBy(auditEvents.sequence))
    expect(events.map(({ action }) => action)).toEqual([
      'installations.create',
      'installations.enable',
      'installations.disable',
      'installations.delete',
    ])
  })

  test('refuses a duplicate, invalid settings, a stale save, and other people', async () => {
    const { id } = await install()
    expect(
      (await api.post('/installations', buildResourceDocument('installations', { integration: 'sms-sandbox', settings: { sender: 'B2' } })))
        .codes,
    ).toEqual(['taken'])
    expect(await change(id, { settings: { sender: 'x' } })).toMatchObject({ status: 422, codes: ['wrong-format'] })
    expect((await change(id, { settings: { sender: null } })).body?.errors?.[0]?.source?.pointer).toBe('/data/attributes/settings/sender')
    await change(id, { enabled: true })
    expect(
      (await api.patch(`/installations/${id}`, buildResourceDocument('installations', { enabled: false }, { id, lockVersion: 1 }))).status,
    ).toBe(409)
    const hub = createApiClient(runtime, site, (await addPerson(runtime, site)).token)
    expect((await hub.get('/installations')).status).toBe(403)
    expect((await hub.get(`/installations/${id}`)).status).toBe(404)
  })

  test('is reported to the support chat only if both the feature and the SMS service are on', async () => {
    const told = async () => (await readLibrariesDetails(ctx)).intercom?.smsIntegrationEnabled
    expect(await told()).toBe(false)
    const { id } = await install()
    expect(await told()).toBe(false)
    await change(id, { enabled: true })
    expect(await told()).toBe(true)
    await switchSms(false)
    expect(await told()).toBe(false)
  })
})

describe('an integration that runs on pages', () => {
  test('invalidates stored pages when it is enabled, changed and removed, and has no test', async () => {
    const version = async () => {
      const [row] = await runtime.database.global.select({ version: sites.contentVersion }).from(sites).where(eq(sites.id, site.id))
      return row?.version ?? 0
    }
    const { id } = await install('segment', { writeKey: 'abcdefgh' })
    const versions = [await version()]
    for (const attributes of [{ enabled: true }, { settings: { region: 'eu' } }]) {
      await change(id, attributes)
      versions.push(await version())
    }
    const to = { installation: { type: 'installations', id } }
    expect((await api.post('/installation-tests', buildResourceDocument('installation-tests', {}, { to }))).status).toBe(404)
    await api.delete(`/installations/${id}`)
    versions.push(await version())
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
    expect(versions).toHaveLength(4)
  })

  test('accepts keys, but no script URLs', async () => {
    const given = (integration: string, settings: Record<string, unknown>) =>
      api.post('/installations', buildResourceDocument('installations', { integration, settings }))
    expect((await given('segment', { writeKey: "k'; script-src *" })).codes).toEqual(['wrong-format'])
    expect((await given('sentry', { dsn: 'https://key@o1.ingest.sentry.io/2; img-src *' })).status).toBe(422)
    const { id } = await install('segment', { writeKey: 'abcdefgh', endpoint: 'https://evil.example' })
    expect(one(await api.get(`/installations/${id}`)).attributes['settings']).toEqual({ writeKey: 'abcdefgh', region: 'us' })
  })
})

describe('a test message', () => {
  test('is sent once by the sandbox to the message list', async () => {
    expect(await sendText({ phone: '613-555-0123', body: 'Bonjour' })).toMatchObject({ status: 409, codes: ['sms-not-enabled'] })
    await change((await install()).id, { enabled: true })
    expect(await sendText({ phone: '12', body: 'Bonjour' })).toMatchObject({ status: 422, codes: ['too-short'] })
    expect(await sendText({ phone: '555-1234567890123', body: 'Bonjour' })).toMatchObject({ status: 422, codes: ['not-a-phone'] })
    const { id, attributes } = one(await sendText({ phone: '(613) 555-0123', body: 'Forêt' }))
    expect(attributes).toMatchObject({ phone: '+16135550123', status: 'waiting', segments: 1, direction: 'out' })
    await sendDueMessages(runtime)
    expect(one(await api.get(`/sms-messages/${id}`)).attributes).toMatchObject({
      status: 'delivered',
      integration: 'sms-sandbox',
      attempts: 1,
    })
    expect(await sendDueMessages(runtime)).toBe(0)
  })

  test('waits while the feature or the service is off, and is sent once both are on', async () => {
    const { id } = await install()
    await change(id, { enabled: true })
    const text = one(await sendText({ phone: '+16135550123', body: 'Hello' }))
    await switchSms(false)
    expect(await sendDueMessages(runtime)).toBe(0)
    await switchSms(true)
    await change(id, { enabled: false })
    expect(await sendDueMessages(runtime)).toBe(0)
    await change(id, { enabled: true })
    await sendDueMessages(runtime)
    expect(one(await api.get(`/sms-messages/${text.id}`)).attributes).toMatchObject({ status: 'delivered' })
  })
})
