import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { confirmEmail, registerParticipant } from '#app/features/accounts/registration.server.ts'
import { mailDueUpdates } from '#app/features/follows/follows.mails.server.ts'
import { publishDueProjects } from '#app/features/projects/projects.publishing.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { installationCalls, installations, webhookDeliveries } from '#app/server/db/schema/marketplace.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addUpdate } from '#tests/factories/content.ts'
import { addPerson as addAdministrator, addProject, addSurvey } from '#tests/factories/surveys.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { servePortal } from '#tests/support/portals/serve.ts'
import { loadInstallationsById, updateInstallation } from '../installations.server.ts'
import { deliverWebhooks, sweepWebhooks } from './deliver-webhooks.server.ts'

interface Post {
  id: string
  timestamp: string
  signatures: string[]
  body: string
}

const runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
const START = new Date('2026-11-22T10:00:00Z')
let posts: Post[] = []
/** Response to each of the next posts: a status, a closed connection, or none at all. 204 once the list is empty. */
let moods: (number | 'closes' | 'hangs')[] = []
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readText(request)
  const header = (name: string) => String(request.headers[name])
  posts.push({ id: header('webhook-id'), timestamp: header('webhook-timestamp'), signatures: header('webhook-signature').split(' '), body })
  const mood = moods.shift() ?? 204
  if (mood === 'closes') response.destroy()
  if (typeof mood !== 'number') return
  if (mood === 429) response.setHeader('retry-after', '7200')
  response.writeHead(mood).end(mood === 204 ? undefined : '<h1>not JSON</h1>')
}
const receiver = await servePortal((_url, response, request) => void receive(request, response))

let site: Site
let ctx: Ctx
let api: ReturnType<typeof createApiClient>
let survey: Awaited<ReturnType<typeof addSurvey>>

beforeEach(async () => {
  runtime.setNow(START)
  posts = []
  moods = []
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  survey = await addSurvey(runtime, site)
})

const later = (hours: number) => runtime.setNow(new Date(runtime.now().getTime() + hours * 3_600_000))
const one = (answer: ApiAnswer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body?.data as { id: string; attributes: Record<string, unknown>; meta: { lockVersion: number } }
}
const installation = (id: string) => ({ to: { installation: { type: 'installations', id } } })
const change = async (id: string, attributes: Record<string, unknown>) => {
  const { meta } = one(await api.get(`/installations/${id}`))
  return one(
    await api.patch(`/installations/${id}`, buildResourceDocument('installations', attributes, { id, lockVersion: meta.lockVersion })),
  )
}
/** Installs and enables webhooks and runs the first check of surveys. */
async function enabled(settings: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> {
  const whole = { address: `${receiver.origin}/hooks/t0k3n`, ...settings }
  const { id } = one(await api.post('/installations', buildResourceDocument('installations', { integration: 'webhooks', settings: whole })))
  const made = one(await api.post('/webhook-secrets', buildResourceDocument('webhook-secrets', {}, installation(id))))
  await change(id, { enabled: true })
  await deliverWebhooks(runtime)
  return { id, secret: String(made.attributes['secret']) }
}
const answer = () =>
  submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), {
    id: createId(),
    sendKey: 'k'.repeat(22),
    answers: { name: 'Fern Street, ask for Ann' },
  })
const rows = () =>
  ctx.db.tx((tx) => tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.siteId, site.id)).orderBy(webhookDeliveries.occurredAt))
const stateOf = async (id: string) => one(await api.get(`/installations/${id}`)).attributes
const signed = (secret: string, { id, timestamp, body }: Post) =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`

describe('webhooks', () => {
  test('send each kind of event once, signed, without answers or names', async () => {
    const { secret } = await enabled()
    await answer()
    const project = await addProject(runtime, site, { status: 'scheduled', publishAt: START })
    await publishDueProjects(runtime)
    await addUpdate(runtime, site, project.id)
    await mailDueUpdates(runtime)
    await registerParticipant(ctx, {
      email: 'ann@riverbend.example',
      login: 'Ann',
      password: 'a long bridge over water',
      marketingConsent: false,
    })
    const [mail] = await ctx.db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.recipient, 'ann@riverbend.example')))
    await confirmEmail(ctx, /token=([\w-]+)/.exec(mail?.secretBodies?.text ?? '')?.[1] ?? '')
    await ctx.db.tx((tx) => tx.update(surveys).set({ closesAt: START }).where(eq(surveys.id, survey.id)))
    await deliverWebhooks(runtime)
    await ctx.db.tx((tx) => tx.update(surveys).set({ closesAt: null }).where(eq(surveys.id, survey.id)))
    await deliverWebhooks(runtime)
    await deliverWebhooks(runtime)

    const told = posts.map(({ body }) => JSON.parse(body) as { type: string; timestamp: string; data: Record<string, unknown> })
    expect(told.map(({ type }) => type).toSorted()).toEqual([
      'participant.registered',
      'project.published',
      'response.received',
      'survey.closed',
      'survey.opened',
      'update.published',
    ])
    const received = told.find(({ type }) => type === 'response.received')
    expect(received).toMatchObject({ timestamp: START.toISOString(), data: { survey: survey.id, source: 'web' } })
    expect(JSON.stringify(told)).not.toMatch(/Ann|ann@/)
    for (const post of posts) expect(post.signatures).toContain(signed(secret, post))
    expect(new Set(posts.map(({ id }) => id)).size).toBe(6)
    expect((await rows()).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'delivered'))
    // The log contains only the host: the path may hold a secret.
    const calls = await ctx.db.tx((tx) => tx.select().from(installationCalls))
    expect(JSON.stringify(calls)).not.toContain('t0k3n')
  })

  test('send no unsubscribed events, and none from before they were enabled', async () => {
    await answer()
    const { id } = await enabled({ surveyClosings: false })
    await ctx.db.tx((tx) => tx.update(surveys).set({ closesAt: START }).where(eq(surveys.id, survey.id)))
    await deliverWebhooks(runtime)
    await change(id, { enabled: false })
    await ctx.db.tx((tx) => tx.update(surveys).set({ closesAt: null }).where(eq(surveys.id, survey.id)))
    await answer()
    later(1)
    await change(id, { enabled: true })
    await deliverWebhooks(runtime)
    expect(posts).toEqual([])
    expect(await rows()).toEqual([])
  })

  test('retry under one id after refusals, errors and closed connections, as late as the address asks', async () => {
    await enabled()
    moods = [500, 404, 'closes', 429]
    await answer()
    await deliverWebhooks(runtime)
    expect(await rows()).toMatchObject([{ status: 'waiting', attempts: 1, fault: 'provider-down', answered: 500 }])
    await deliverWebhooks(runtime)
    expect(posts).toHaveLength(1)
    later(0.01)
    await deliverWebhooks(runtime)
    expect(await rows()).toMatchObject([{ attempts: 2, fault: 'endpoint-refused', answered: 404 }])
    later(0.1)
    await deliverWebhooks(runtime)
    later(0.5)
    await deliverWebhooks(runtime)
    expect(await rows()).toMatchObject([{ attempts: 4, fault: 'provider-busy' }])
    later(1.9)
    await deliverWebhooks(runtime)
    expect(posts).toHaveLength(4)
    later(0.2)
    await deliverWebhooks(runtime)
    expect(await rows()).toMatchObject([{ status: 'delivered', attempts: 5, fault: null, answered: 204 }])
    expect(new Set(posts.map(({ id, body }) => `${id} ${body}`)).size).toBe(1)
    // Each attempt is signed with its own time.
    expect(new Set(posts.map(({ timestamp }) => timestamp)).size).toBe(5)
  })

  test('in progress when the process died, or without a response, are sent again under the same id', async () => {
    await enabled()
    moods = ['hangs']
    await answer()
    await deliverWebhooks(runtime)
    expect(await rows()).toMatchObject([{ status: 'waiting', attempts: 1, answered: null }])
    // As after a process that posts and is killed: claimed, and never released.
    await ctx.db.tx((tx) =>
      tx
        .update(webhookDeliveries)
        .set({ attempts: 0, nextAttemptAt: new Date(START.getTime() + 120_000) })
        .where(eq(webhookDeliveries.siteId, site.id)),
    )
    await deliverWebhooks(runtime)
    expect(posts).toHaveLength(1)
    later(0.04)
    await Promise.all([deliverWebhooks(runtime), deliverWebhooks(runtime)])
    expect(posts).toHaveLength(2)
    expect(posts[1]?.id).toBe(posts[0]?.id)
    expect(await rows()).toMatchObject([{ status: 'delivered' }])
  }, 30_000)

  test('pause for a failing address, and are disabled when it fails for days or is gone', async () => {
    const { id } = await enabled()
    moods = Array.from({ length: 40 }, () => 503)
    for (let count = 0; count < 8; count++) await answer()
    await deliverWebhooks(runtime)
    expect(await stateOf(id)).toMatchObject({ health: 'down', failingSince: START.toISOString() })
    const tried = posts.length
    await deliverWebhooks(runtime)
    expect(posts).toHaveLength(tried)
    later(24 * 5 + 1)
    await deliverWebhooks(runtime)
    expect(await stateOf(id)).toMatchObject({ enabled: false })
    const events = await ctx.db.tx((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.subjectId, id), eq(auditEvents.action, 'installations.give-up'))),
    )
    expect(events).toHaveLength(1)
    // Once enabled again, the address is tried again and waiting events are sent.
    moods = []
    await change(id, { enabled: true })
    later(1)
    for (let turn = 0; turn < 3; turn++) {
      await deliverWebhooks(runtime)
      later(7)
    }
    expect((await rows()).filter(({ status }) => status === 'waiting')).toEqual([])
    moods = [410]
    await answer()
    await deliverWebhooks(runtime)
    expect(await stateOf(id)).toMatchObject({ enabled: false })
  })

  test('can be replayed by the administrator under the same id, one or all failed ones', async () => {
    await enabled()
    await answer()
    await deliverWebhooks(runtime)
    const [row] = await rows()
    const replay = (to?: Record<string, { type: string; id: string }>) =>
      api.post('/webhook-replays', buildResourceDocument('webhook-replays', {}, to ? { to } : {}))
    expect((await replay({ delivery: { type: 'webhook-deliveries', id: createId() } })).status).toBe(404)
    expect(one(await replay({ delivery: { type: 'webhook-deliveries', id: row?.id ?? '' } })).attributes).toEqual({ count: 1 })
    await deliverWebhooks(runtime)
    expect(posts.map(({ id }) => id)).toEqual([row?.id, row?.id])
    await ctx.db.tx((tx) => tx.update(webhookDeliveries).set({ status: 'failed' }).where(eq(webhookDeliveries.siteId, site.id)))
    expect(one(await replay()).attributes).toEqual({ count: 1 })
    await deliverWebhooks(runtime)
    expect(posts).toHaveLength(3)
    const listed = await api.get('/webhook-deliveries?filter[status]=delivered')
    expect(listed.body?.data).toMatchObject([{ id: row?.id, attributes: { event: 'response.received', status: 'delivered', attempts: 1 } }])
    later(24 * 31)
    expect(await sweepWebhooks(runtime)).toBeGreaterThan(0)
    expect(await rows()).toEqual([])
  })

  test('keep a secret that is renewed while somebody saves settings that they loaded before', async () => {
    const { id } = await enabled()
    const admin = createCtx(runtime, site, { viewer: await addAdministrator(runtime, site, { roles: [{ role: 'site_admin' }] }) })
    const [row] = await loadInstallationsById(admin, [id])
    if (!row) throw new Error('No installation')
    const next = String(
      one(await api.post('/webhook-secrets', buildResourceDocument('webhook-secrets', {}, installation(id)))).attributes['secret'],
    )
    await updateInstallation(admin, row, { settings: { updates: false } }, row.lockVersion)
    await answer()
    await deliverWebhooks(runtime)
    const last = posts.at(-1)
    expect(last?.signatures[0]).toBe(last && signed(next, last))
  })

  test('sign with a new secret at once, also with the former one for a day, and show a secret only when it is created', async () => {
    const { id, secret } = await enabled()
    const next = String(
      one(await api.post('/webhook-secrets', buildResourceDocument('webhook-secrets', {}, installation(id)))).attributes['secret'],
    )
    expect(next).not.toBe(secret)
    await answer()
    await deliverWebhooks(runtime)
    const [first] = posts
    expect(first?.signatures).toEqual(first && [signed(next, first), signed(secret, first)])
    later(25)
    await answer()
    await deliverWebhooks(runtime)
    const last = posts.at(-1)
    expect(last?.signatures).toEqual(last && [signed(next, last)])
    // Saving settings keeps the secret, and nobody can set it from outside.
    await change(id, { settings: { updates: false, signingSecret: 'whsec_AAAA' } })
    await answer()
    await deliverWebhooks(runtime)
    const after = posts.at(-1)
    expect(after?.signatures).toEqual(after && [signed(next, after)])
    const kept = await ctx.db.tx((tx) => tx.select().from(installations).where(eq(installations.id, id)))
    expect(JSON.stringify([kept, await stateOf(id), (await api.get('/webhook-deliveries')).body])).not.toContain(next.slice(6))
    expect(runtime.logged.join('\n')).not.toContain(next.slice(6))
  })

  test('are sent only to public addresses, and only administrators see them', async () => {
    const { id } = await enabled()
    // As if saved before addresses were checked.
    const inside = { address: 'http://10.0.0.7/hook', responses: true }
    await ctx.db.tx((tx) => tx.update(installations).set({ settings: inside }).where(eq(installations.id, id)))
    await answer()
    await deliverWebhooks({ ...runtime, env: { ...runtime.env, OUTGOING_LOOPBACK: false } })
    expect(await rows()).toMatchObject([{ status: 'waiting', fault: 'provider-down', answered: null }])
    await change(id, { settings: { address: receiver.origin } })
    later(1)
    await deliverWebhooks({ ...runtime, env: { ...runtime.env, OUTGOING_LOOPBACK: false } })
    expect(posts).toEqual([])
    const hub = createApiClient(runtime, site, (await addPerson(runtime, site)).token)
    for (const path of ['/webhook-deliveries', '/integrations']) expect((await hub.get(path)).status).toBe(403)
    expect((await hub.post('/webhook-replays', buildResourceDocument('webhook-replays', {}))).status).toBe(403)
  })
})
