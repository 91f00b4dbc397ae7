import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { FAILURES_BEFORE_PAUSE } from '#app/features/marketplace/circuit-breaker.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { DatabaseAway } from '#app/server/db/database-down.ts'
import { installationCalls, installations } from '#app/server/db/schema/marketplace.ts'
import { campaigns, smsConsents, smsMessages } from '#app/server/db/schema/messages.ts'
import { sites, siteFeatures } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { removeRandomValues } from '#tests/support/random-values.ts'
import { NOTIFY, serveNotify } from '#tests/support/sms/gov-notify.ts'
import { serveTwilio, TWILIO } from '#tests/support/sms/twilio.ts'
import { sendDueMessages } from './deliver-messages.server.ts'
import { queueMessage } from './messages.server.ts'

const runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
const twilio = await serveTwilio()
const notify = await serveNotify()
let site: Site
let ctx: Ctx
let api: ReturnType<typeof createApiClient>

beforeEach(async () => {
  runtime.setNow(undefined)
  await runtime.database.global.update(sites).set({ status: 'suspended' })
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  await ctx.db.tx((tx) => tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true }))
  twilio.taken.length = 0
  twilio.moods.length = 0
  Object.assign(notify, { failing: [], silentAfter: 0 })
  notify.taken.length = 0
})

const one = (answer: ApiAnswer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body?.data as { id: string; attributes: Record<string, unknown>; meta: { lockVersion: number } }
}
const install = async (integration: string, settings: Record<string, unknown>) => {
  const { id, meta } = one(await api.post('/installations', buildResourceDocument('installations', { integration, settings })))
  return one(
    await api.patch(
      `/installations/${id}`,
      buildResourceDocument('installations', { enabled: true }, { id, lockVersion: meta.lockVersion }),
    ),
  ).id
}
const installTwilio = (more: Record<string, unknown> = {}) =>
  install('sms-twilio', { address: twilio.origin, ...TWILIO, perSecond: 100, ...more })
const installNotify = () => install('sms-gov-notify', { address: notify.origin, ...NOTIFY })
const testOf = async (installation: string) =>
  one(
    await api.post(
      '/installation-tests',
      buildResourceDocument('installation-tests', {}, { to: { installation: { type: 'installations', id: installation } } }),
    ),
  ).attributes['fault']
const queue = (body = 'Hello', phone = '+16135550123') =>
  ctx.db.tx((tx) => queueMessage(ctx, tx, { purpose: 'test', phone, language: 'en', body, userId: null }))
const queueReply = (purpose: 'reply' | 'survey' | 'code' | 'reminder', body: string) =>
  ctx.db.tx((tx) => queueMessage(ctx, tx, { purpose, phone: '+16135550123', language: 'en', body, userId: null }))
const stored = async (id: string) => {
  const [row] = await ctx.db.tx((tx) => tx.select().from(smsMessages).where(eq(smsMessages.id, id)))
  if (!row) throw new Error('gone')
  return row
}
const healthOf = async (id: string) => {
  const [row] = await ctx.db.tx((tx) => tx.select().from(installations).where(eq(installations.id, id)))
  return row?.health
}
const later = (minutes: number) => runtime.setNow(new Date(runtime.now().getTime() + minutes * 60_000))

describe('credentials', () => {
  test('are stored sealed, never returned, never logged, and deleted with the installation', async () => {
    const id = await installTwilio()
    await testOf(id)
    await queue('A very private text')
    await sendDueMessages(runtime)
    const { attributes } = one(await api.get(`/installations/${id}`))
    expect(attributes).toMatchObject({ secretsSet: ['authToken'], settings: { accountSid: TWILIO.accountSid, from: TWILIO.from } })
    const seen = JSON.stringify([
      await ctx.db.tx((tx) => tx.select().from(installations)),
      await ctx.db.tx((tx) => tx.select().from(installationCalls)),
      (await api.get('/installations')).body,
      (await api.get(`/installation-calls?filter[installation]=${id}`)).body,
      (await api.get('/audit-events')).body,
      runtime.logged,
    ])
    expect(seen).not.toContain(TWILIO.authToken)
    const calls = (await api.get(`/installation-calls?filter[installation]=${id}`)).body
    expect(removeRandomValues(JSON.stringify(calls))).not.toMatch(/private|5550123/)
    expect(calls?.meta).toMatchObject({ total: 2 })
    await api.delete(`/installations/${id}`)
    expect(await ctx.db.tx((tx) => tx.select().from(installationCalls))).toEqual([])
  })

  test('are not sent to another address: changing it requires entering them again', async () => {
    const id = await installTwilio()
    const { meta } = one(await api.get(`/installations/${id}`))
    const move = (settings: Record<string, unknown>) =>
      api.patch(`/installations/${id}`, buildResourceDocument('installations', { settings }, { id, lockVersion: meta.lockVersion }))
    const refused = await move({ address: 'https://elsewhere.example' })
    expect(refused.body?.errors?.[0]).toMatchObject({ code: 'required', source: { pointer: '/data/attributes/settings/authToken' } })
    expect((await move({ address: 'https://elsewhere.example', authToken: TWILIO.authToken })).status).toBe(200)
  })

  test('that are wrong are detected by the test, before anything is sent', async () => {
    expect(await testOf(await installTwilio())).toBe(null)
    expect(await testOf(await installNotify())).toBe(null)
    const { id, meta } = one(await api.get(`/installations/${await other()}`))
    await api.patch(
      `/installations/${id}`,
      buildResourceDocument(
        'installations',
        { settings: { apiKey: `x-${createId()}-${createId()}` } },
        { id, lockVersion: meta.lockVersion },
      ),
    )
    expect(await testOf(id)).toBe('provider-refused')
    expect(await healthOf(id)).toBe('failing')
  })
  const other = async () => {
    const rows = (await api.get('/installations')).body?.data as { id: string; attributes: { integration: string } }[]
    return rows.find(({ attributes }) => attributes.integration === 'sms-gov-notify')?.id ?? ''
  }
})

describe('a text by Twilio or Notify', () => {
  test("is sent once, in the service's format", async () => {
    await installTwilio()
    const id = await queue('Forêt & dŵr')
    expect(await sendDueMessages(runtime)).toBe(1)
    expect(await sendDueMessages(runtime)).toBe(0)
    expect(twilio.taken).toMatchObject([{ to: '+16135550123', body: 'Forêt & dŵr' }])
    expect(await stored(id)).toMatchObject({ status: 'accepted', integration: 'sms-twilio', providerId: twilio.taken[0]?.sid, attempts: 1 })
  })

  test('carries our own reference with Notify', async () => {
    await installNotify()
    const id = await queue('Helo')
    await sendDueMessages(runtime)
    expect(notify.taken).toMatchObject([{ phone_number: '+16135550123', reference: id, personalisation: { message: 'Helo' } }])
  })

  test.each(['silent-after', 'garbled-after'] as const)(
    'that was accepted without an answer saying so (%s) is not sent again',
    async (mood) => {
      await installTwilio()
      const id = await queue()
      twilio.moods.push(mood)
      await sendDueMessages(runtime)
      expect(await stored(id)).toMatchObject({ status: 'sending' })
      later(2)
      await sendDueMessages(runtime)
      expect(twilio.taken).toHaveLength(1)
      expect(await stored(id)).toMatchObject({ status: 'accepted', providerId: twilio.taken[0]?.sid })
    },
  )

  test('that was not accepted when the connection broke is sent again', async () => {
    await installTwilio()
    await queue()
    twilio.moods.push('closes', 'down')
    await sendDueMessages(runtime)
    later(2)
    await sendDueMessages(runtime)
    later(5)
    await sendDueMessages(runtime)
    expect(twilio.taken).toHaveLength(1)
  })

  test('held by a process that died is looked up first: it was sent, or is sent now', async () => {
    await installNotify()
    const [taken, lost] = [await queue('Taken'), await queue('Lost')]
    notify.taken.push({ id: createId(), phone_number: '+16135550123', reference: taken, personalisation: { message: 'Taken' } })
    await ctx.db.tx((tx) =>
      tx.update(smsMessages).set({ status: 'sending', integration: 'sms-gov-notify', triedAt: new Date(), nextAttemptAt: new Date() }),
    )
    await sendDueMessages(runtime)
    expect(notify.taken.map(({ reference }) => reference)).toEqual([taken, lost])
    expect([(await stored(taken)).status, (await stored(lost)).status]).toEqual(['accepted', 'accepted'])
  })

  test('waits as long as the service asks, otherwise backs off', async () => {
    await installTwilio()
    const id = await queue()
    twilio.moods.push('busy-for', 'busy')
    const asked = Date.now()
    await sendDueMessages(runtime)
    const row = await stored(id)
    expect(row).toMatchObject({ status: 'waiting', fault: 'provider-busy' })
    expect((row.nextAttemptAt?.getTime() ?? 0) - asked).toBeGreaterThan(110_000)
    later(3)
    await sendDueMessages(runtime)
    later(3)
    await sendDueMessages(runtime)
    expect(await stored(id)).toMatchObject({ status: 'accepted', attempts: 3 })
  })

  test('that the service rejects for good is given up with the reason', async () => {
    const id = await installTwilio()
    const text = await queue()
    twilio.moods.push('refuses-number')
    await sendDueMessages(runtime)
    expect(await stored(text)).toMatchObject({ status: 'failed', fault: 'message-refused', nextAttemptAt: null })
    expect(await healthOf(id)).toBe('working')
    const calls = (await api.get(`/installation-calls?filter[installation]=${id}`)).body?.data
    expect(calls).toMatchObject([{ attributes: { operation: 'send', outcome: 'message-refused', status: 400, note: '21211' } }])
  })

  test('that Twilio refuses because its reader has opted out there counts as their STOP', async () => {
    await installTwilio()
    const id = await queueReply('reply', 'Hello')
    twilio.moods.push('opted-out')
    await sendDueMessages(runtime)
    expect(await stored(id)).toMatchObject({ status: 'failed', fault: 'consent-withdrawn' })
    const ledger = () => ctx.db.tx((tx) => tx.select().from(smsConsents))
    expect(await ledger()).toMatchObject([{ phone: '+16135550123', given: false, source: 'text' }])
    twilio.moods.push('refuses-number')
    await queueReply('reply', 'Hello')
    await sendDueMessages(runtime)
    expect(await ledger()).toHaveLength(1)
  })

  test('to one number leaves in the order of what it answers, even if the first is refused for now', async () => {
    await installTwilio()
    const replies = [await queueReply('reply', 'first'), await queueReply('survey', 'second'), await queueReply('reply', 'third')]
    twilio.moods.push('busy')
    await sendDueMessages(runtime)
    expect(twilio.taken).toEqual([])
    const code = await queueReply('code', '123456')
    await sendDueMessages(runtime)
    expect(twilio.taken.map(({ body }) => body)).toEqual(['123456'])
    expect((await stored(code)).status).toBe('accepted')
    for (let turn = 0; turn < replies.length; turn++) {
      later(1)
      await sendDueMessages(runtime)
    }
    expect(twilio.taken.map(({ body }) => body)).toEqual(['123456', 'first', 'second', 'third'])
  })

  test.each([
    ['code', 10],
    ['reminder', 24 * 60],
  ] as const)('that is a %s is tried again for %i minutes, and not after', async (purpose, minutes) => {
    // Noon in Toronto.
    runtime.setNow(new Date('2026-11-24T17:00:00Z'))
    await installTwilio()
    const [early, late] = [await queueReply(purpose, 'early'), await queueReply(purpose, 'late')]
    later(minutes - 1)
    twilio.moods.push('busy', 'busy')
    await sendDueMessages(runtime)
    expect([(await stored(early)).status, (await stored(late)).status]).toEqual(['waiting', 'waiting'])
    later(2)
    twilio.moods.push('busy', 'busy')
    await sendDueMessages(runtime)
    expect([await stored(early), await stored(late)]).toMatchObject([{ status: 'failed' }, { status: 'failed' }])
    expect(twilio.taken).toEqual([])
  })

  test('goes through the second service if the first refuses, and never through both', async () => {
    await installNotify()
    await installTwilio()
    notify.failing.push(403)
    const id = await queue()
    await sendDueMessages(runtime)
    expect(await stored(id)).toMatchObject({ status: 'accepted', integration: 'sms-twilio' })
    expect([notify.taken.length, twilio.taken.length]).toEqual([0, 1])
    notify.silentAfter = 1
    const unsure = await queue('Unsure')
    await sendDueMessages(runtime)
    expect(await stored(unsure)).toMatchObject({ status: 'sending', integration: 'sms-gov-notify' })
    expect(twilio.taken).toHaveLength(1)
  })

  test('is not tried while a service is paused; afterwards all waiting texts go out once', async () => {
    const installation = await installTwilio()
    const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => queue(`Text ${index}`)))
    twilio.moods.push(...Array.from({ length: 40 }, () => 'down' as const))
    for (let turn = 0; turn < 3 && (await healthOf(installation)) !== 'down'; turn++) {
      await sendDueMessages(runtime)
      later(2)
    }
    expect(await healthOf(installation)).toBe('down')
    expect(40 - twilio.moods.length).toBeGreaterThanOrEqual(FAILURES_BEFORE_PAUSE)
    twilio.moods.length = 0
    for (let turn = 0; turn < 6; turn++) {
      later(20)
      await sendDueMessages(runtime)
    }
    expect(await healthOf(installation)).toBe('working')
    expect(twilio.taken.map(({ body }) => body).toSorted()).toEqual(ids.map((_, index) => `Text ${index}`))
  })

  test("is given up if the service returns another text's id, without affecting the recording of the others", async () => {
    await installTwilio()
    const first = await queue('Twice')
    await sendDueMessages(runtime)
    const [second, beside] = [await queue('Twice'), await queue('Beside')]
    const lost = { status: 'sending' as const, integration: 'sms-twilio', triedAt: new Date() }
    await ctx.db.tx((tx) => tx.update(smsMessages).set(lost).where(eq(smsMessages.id, second)))
    await sendDueMessages(runtime)
    expect(await Promise.all([first, second, beside].map(async (id) => (await stored(id)).status))).toEqual([
      'accepted',
      'failed',
      'accepted',
    ])
    expect(await stored(second)).toMatchObject({ fault: 'message-unknown', nextAttemptAt: null })
    expect(twilio.taken.map(({ body }) => body)).toEqual(['Twice', 'Beside'])
  })

  test('is sent at the rate its service allows across all processes; a code goes before a campaign', async () => {
    await installTwilio({ perSecond: 20 })
    // Noon in Toronto, outside quiet hours.
    runtime.setNow(new Date(`${new Date().toISOString().slice(0, 10)}T16:30:00Z`))
    const now = runtime.now()
    const campaignId = createId()
    const phones = Array.from({ length: 14 }, (_, index) => `+161355502${10 + index}`)
    const common = { siteId: site.id, createdAt: now }
    await ctx.db.tx(async (tx) => {
      await tx.insert(campaigns).values({ ...common, id: campaignId, name: 'News', status: 'sending', updatedAt: now })
      for (const phone of phones) {
        await tx
          .insert(smsConsents)
          .values({ siteId: site.id, id: createId(), phone, given: true, words: 'Yes', language: 'en', source: 'account', at: now })
        const text = { direction: 'out', purpose: 'campaign', status: 'waiting', language: 'en', body: 'News', nextAttemptAt: now } as const
        await tx.insert(smsMessages).values({ ...common, ...text, id: createId(), phone, campaignId })
      }
    })
    // Queued after all of them.
    runtime.setNow(new Date(now.getTime() + 1000))
    await queue('Your code')
    const begun = performance.now()
    const sent = await Promise.all([sendDueMessages(runtime), sendDueMessages(runtime), sendDueMessages(runtime)])
    const seconds = (performance.now() - begun) / 1000
    expect(sent.reduce((sum, some) => sum + some, 0)).toBe(15)
    expect(new Set(twilio.taken.map(({ to }) => to)).size).toBe(15)
    // Each of the three takes two at a time, which may arrive in any order.
    expect(twilio.taken.slice(0, 6).map(({ body }) => body)).toContain('Your code')
    // A quarter of a second's worth may go out at once.
    expect(15 / (seconds + 0.25)).toBeLessThanOrEqual(20)
  })
})

test(
  'a database that goes away while texts are in hand ends the run, and the next one sends each text once',
  { timeout: 30_000 },
  async () => {
    await installTwilio()
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await queue('Hello', `+1613555015${n}`))
    const openSite = runtime.database.site.bind(runtime.database)
    const away = vi.spyOn(runtime.database, 'site').mockImplementation((siteId) => {
      const db = openSite(siteId)
      const tx: typeof db.tx = (work) => (twilio.taken.length > 0 ? Promise.reject(new DatabaseAway('NO_ANSWER')) : db.tx(work))
      return new Proxy(db, { get: (target, name) => (name === 'tx' ? tx : (Reflect.get(target, name) as unknown)) })
    })
    await expect(sendDueMessages(runtime)).rejects.toMatchObject({ code: 'NO_ANSWER' })
    away.mockRestore()
    later(5)
    await sendDueMessages(runtime)
    expect(await Promise.all(ids.map(async (id) => (await stored(id)).status))).toEqual(ids.map(() => 'accepted'))
    expect(twilio.taken.map(({ to }) => to).toSorted()).toEqual(ids.map((_, n) => `+1613555015${n}`))
  },
)
