import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { smsConsents, smsMessages, userPhones } from '#app/server/db/schema/messages.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { NOTIFY } from '#tests/support/sms/gov-notify.ts'
import { TWILIO } from '#tests/support/sms/twilio.ts'
import { handleSmsHook } from './receive-messages.server.ts'
import { requestContext } from '#tests/support/request-context.ts'

const runtime = await createTestRuntime()
const PHONE = '+16135550123'
const BEARER = 'a callback token of ours'
let site: Site
let ctx: Ctx
let api: ReturnType<typeof createApiClient>

beforeEach(async () => {
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  await ctx.db.tx((tx) => tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true }))
})

const one = (answer: ApiAnswer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body?.data as { id: string; attributes: Record<string, unknown>; meta: { lockVersion: number } }
}
const install = async (integration: string, settings: Record<string, unknown>) => {
  const { id, meta } = one(await api.post('/installations', buildResourceDocument('installations', { integration, settings })))
  await api.patch(`/installations/${id}`, buildResourceDocument('installations', { enabled: true }, { id, lockVersion: meta.lockVersion }))
  return id
}
const installTwilio = () => install('sms-twilio', TWILIO)

/** A request signed like Twilio's: the public URL, then every parameter's name and value, sorted by name. */
const signature = (url: string, form: Record<string, string>, token = TWILIO.authToken) =>
  createHmac('sha1', token)
    .update(
      url +
        Object.keys(form)
          .toSorted()
          .map((name) => name + form[name])
          .join(''),
    )
    .digest('base64')

const hook = (installation: string, body: string, headers: Record<string, string>, query = '') =>
  handleSmsHook({
    context: requestContext(ctx),
    params: { installation },
    request: new Request(`http://inside.example/hooks/sms/${installation}${query}`, { method: 'POST', body, headers }),
  })

function twilioSays(installation: string, form: Record<string, string>, token?: string, query = '') {
  const url = buildSiteUrl(ctx, `/hooks/sms/${installation}${query}`)
  return hook(installation, new URLSearchParams(form).toString(), { 'x-twilio-signature': signature(url, form, token) }, query)
}
const sid = () => `SM${createId().replaceAll('-', '')}`
const says = (installation: string, Body: string, MessageSid = sid()) =>
  twilioSays(installation, { MessageSid, From: PHONE, To: TWILIO.from, Body, NumMedia: '0', SomethingNew: 'née' })
const ledger = () => ctx.db.tx((tx) => tx.select().from(smsConsents).orderBy(smsConsents.id))
const messages = (direction: 'in' | 'out') =>
  ctx.db.tx((tx) => tx.select().from(smsMessages).where(eq(smsMessages.direction, direction)).orderBy(smsMessages.id))

describe('a text received from Twilio', () => {
  test('is stored once; unknown parameters are part of its signature', async () => {
    const id = await installTwilio()
    const one = sid()
    expect((await says(id, 'I like the new bridge', one)).status).toBe(200)
    expect((await says(id, 'I like the new bridge', one)).status).toBe(200)
    expect(await messages('in')).toMatchObject([
      { phone: PHONE, body: 'I like the new bridge', status: 'received', integration: 'sms-twilio' },
    ])
    expect(await messages('out')).toEqual([])
  })

  test('may repeat a parameter: Twilio signs each different value of it once, sorted', async () => {
    const id = await installTwilio()
    const values = ['https://media.example/b', 'https://media.example/a', 'https://media.example/b']
    const form = { Body: 'Two pictures', From: PHONE, MessageSid: sid(), To: TWILIO.from }
    const signed = signature(buildSiteUrl(ctx, `/hooks/sms/${id}`), { ...form, MediaUrl: values.slice(0, 2).toSorted().join('MediaUrl') })
    const body = new URLSearchParams([...Object.entries(form), ...values.map((value) => ['MediaUrl', value])])
    expect((await hook(id, body.toString(), { 'x-twilio-signature': signed })).status).toBe(200)
    expect(await messages('in')).toMatchObject([{ body: 'Two pictures' }])
  })

  test('is refused unless Twilio signed exactly this address and content', async () => {
    const id = await installTwilio()
    const form = { MessageSid: sid(), From: PHONE, Body: 'STOP' }
    const url = buildSiteUrl(ctx, `/hooks/sms/${id}`)
    const signed = signature(url, form)
    const sent = (body: Record<string, string>, header?: string) =>
      hook(id, new URLSearchParams(body).toString(), header ? { 'x-twilio-signature': header } : {})
    expect((await sent(form)).status).toBe(403)
    expect((await sent(form, 'short')).status).toBe(403)
    expect((await sent({ ...form, From: '+16135550199' }, signed)).status).toBe(403)
    expect((await sent({ ...form, More: 'x' }, signed)).status).toBe(403)
    expect((await twilioSays(id, form, 'another token')).status).toBe(403)
    expect((await hook(createId(), 'x', {})).status).toBe(404)
    expect(await messages('in')).toEqual([])
    expect(await ledger()).toEqual([])
    expect((await sent(form, signed)).status).toBe(200)
  })
})

describe('STOP, START and HELP', () => {
  test('take effect at once for the number, are answered in its owner’s language, and count once if repeated', async () => {
    const id = await installTwilio()
    const person = await addPerson(runtime, site)
    await ctx.db.tx(async (tx) => {
      await tx.update(users).set({ locale: 'fr-CA' }).where(eq(users.id, person.id))
      await tx.insert(userPhones).values({ siteId: site.id, userId: person.id, phone: PHONE, confirmedAt: new Date() })
    })
    await says(id, 'ARRÊT')
    await says(id, 'Stop')
    await says(id, 'START')
    expect(await ledger()).toMatchObject([
      { phone: PHONE, given: false, words: 'ARRÊT', source: 'text', language: 'fr-CA', userId: person.id },
      { phone: PHONE, given: true, words: 'START', source: 'text' },
    ])
    const replies = await messages('out')
    expect(replies.map(({ purpose, language }) => [purpose, language])).toEqual([
      ['reply', 'fr-CA'],
      ['reply', 'fr-CA'],
    ])
    await says(id, 'aide')
    expect((await messages('out')).at(-1)?.body).toContain(buildSiteUrl(ctx, '/'))
    expect(await ledger()).toHaveLength(2)
  })

  test.each(['the service is disabled', 'texts are switched off'])('while %s only STOP counts, and without a reply', async (off) => {
    const id = await installTwilio()
    await ctx.db.tx((tx) =>
      off === 'texts are switched off'
        ? tx.update(siteFeatures).set({ enabled: false })
        : tx.update(installations).set({ enabledAt: null }),
    )
    for (const word of ['START', 'help', 'Stop!']) await says(id, word)
    expect(await ledger()).toMatchObject([{ phone: PHONE, given: false, words: 'Stop!' }])
    expect([await messages('in'), await messages('out')]).toEqual([[], []])
  })

  test('count for unconfirmed numbers too, on this site only', async () => {
    const other = await addSite(runtime, { slug: `o${createId().slice(-12)}` })
    const id = await installTwilio()
    await says(id, 'stopall')
    expect(await ledger()).toMatchObject([{ phone: PHONE, given: false, userId: null }])
    // For a sender without an account, the keyword tells the language.
    for (const word of ['oui', 'Cymorth', 'AIDE', 'help']) await says(id, word)
    expect((await messages('out')).map(({ language }) => language)).toEqual(['en', 'fr-CA', 'cy', 'fr-CA', 'en'])
    expect(await runtime.database.site(other.id).tx((tx) => tx.select().from(smsConsents))).toEqual([])
  })
})

describe('a service that was uninstalled', () => {
  const uninstall = async (id: string) => expect((await api.delete(`/installations/${id}`)).status).toBe(204)

  test('still passes on STOP, and nothing else; its credentials are deleted', async () => {
    const id = await installTwilio()
    await says(id, 'START')
    await uninstall(id)
    expect(await ctx.db.tx((tx) => tx.select().from(installations).where(eq(installations.id, id)))).toEqual([])
    for (const word of ['help', 'START', 'Hello']) expect((await says(id, word)).status).toBe(200)
    expect(await ledger()).toMatchObject([{ given: true }])
    const before = [await messages('in'), await messages('out')]
    expect((await says(id, 'STOP please')).status).toBe(200)
    expect(await ledger()).toMatchObject([{ given: true }, { phone: PHONE, given: false, words: 'STOP please' }])
    expect([await messages('in'), await messages('out')]).toEqual(before)
    expect((await hook(createId(), 'x', {})).status).toBe(404)
  })

  test('is accepted at its old address even after it was installed again, on its own site only', async () => {
    const former = await installTwilio()
    await uninstall(former)
    const id = await installTwilio()
    await says(id, 'START')
    await says(former, 'stop')
    expect(await ledger()).toMatchObject([{ given: true }, { given: false }])
    const other = createCtx(runtime, await addSite(runtime, { slug: `o${createId().slice(-12)}` }))
    const elsewhere = await handleSmsHook({
      context: requestContext(other),
      params: { installation: former },
      request: new Request('http://inside.example/', { method: 'POST', body: `MessageSid=${sid()}&From=%2B16135550123&Body=STOP` }),
    })
    expect(elsewhere.status).toBe(404)
  })

  test('of GOV.UK Notify passes on STOP too', async () => {
    const id = await install('sms-gov-notify', { ...NOTIFY, callbackToken: BEARER })
    await uninstall(id)
    const text = {
      id: createId(),
      source_number: '447700900123',
      destination_number: '07900900002',
      message: 'STOP',
      date_received: '2026-01-01',
    }
    expect((await hook(id, JSON.stringify(text), { 'content-type': 'application/json' })).status).toBe(200)
    expect(await ledger()).toMatchObject([{ phone: '+447700900123', given: false }])
  })
})

describe('what Twilio has recognised itself', () => {
  test.each([
    ['STOP', 'Laissez-moi tranquille', [false], 0],
    ['HELP', 'au secours', [], 0],
  ] as const)('as %s counts as that, and is not answered twice', async (OptOutType, Body, given, replies) => {
    const id = await installTwilio()
    await twilioSays(id, { MessageSid: sid(), From: PHONE, To: TWILIO.from, Body, OptOutType })
    expect((await ledger()).map((entry) => entry.given)).toEqual(given)
    expect(await messages('out')).toHaveLength(replies)
    expect(await messages('in')).toHaveLength(1)
  })

  test('as an opted-out reader of a text that it accepted first counts as their STOP', async () => {
    const id = await installTwilio()
    const providerId = sid()
    const own = { siteId: site.id, id: createId(), direction: 'out', purpose: 'test', status: 'accepted' } as const
    await ctx.db.tx((tx) =>
      tx
        .insert(smsMessages)
        .values({ ...own, phone: PHONE, language: 'en', body: 'Hello', integration: 'sms-twilio', providerId, createdAt: new Date() }),
    )
    for (let times = 0; times < 2; times++)
      await twilioSays(id, { MessageSid: providerId, MessageStatus: 'undelivered', ErrorCode: '21610' })
    expect(await ledger()).toMatchObject([{ phone: PHONE, given: false }])
  })
})

describe('a status report', () => {
  const sentText = async () => {
    const id = createId()
    const providerId = sid()
    const now = new Date()
    await ctx.db.tx((tx) =>
      tx.insert(smsMessages).values({
        siteId: site.id,
        id,
        direction: 'out',
        purpose: 'test',
        status: 'accepted',
        phone: PHONE,
        language: 'en',
        body: 'Hello',
        integration: 'sms-twilio',
        providerId,
        createdAt: now,
        sentAt: now,
      }),
    )
    const status = async () => (await ctx.db.tx((tx) => tx.select().from(smsMessages).where(eq(smsMessages.id, id))))[0]?.status
    return { id, providerId, status }
  }

  test.each([
    [['sent', 'delivered'], 'delivered'],
    [['delivered', 'sent', 'queued'], 'delivered'],
    [['delivered', 'undelivered', 'delivered'], 'delivered'],
    [['undelivered', 'delivered'], 'delivered'],
    [['sent', 'sent', 'failed', 'sent'], 'failed'],
  ])('may come in any order, twice or late: %j', async (told, expected) => {
    const installation = await installTwilio()
    const { providerId, status } = await sentText()
    for (const MessageStatus of told) expect((await twilioSays(installation, { MessageSid: providerId, MessageStatus })).status).toBe(200)
    expect(await status()).toBe(expected)
  })

  test('of one service says nothing of a text that another sent', async () => {
    const { id, status } = await sentText()
    const notify = await install('sms-gov-notify', { ...NOTIFY, callbackToken: BEARER })
    const report = JSON.stringify({ id: createId(), reference: id, to: PHONE, status: 'permanent-failure' })
    expect((await hook(notify, report, { authorization: `Bearer ${BEARER}`, 'content-type': 'application/json' })).status).toBe(200)
    expect(await status()).toBe('accepted')
  })

  test('may be the first confirmation of a text sent without an answer', async () => {
    const installation = await installTwilio()
    const { id, status } = await sentText()
    await ctx.db.tx((tx) =>
      tx.update(smsMessages).set({ status: 'sending', providerId: null, nextAttemptAt: new Date() }).where(eq(smsMessages.id, id)),
    )
    const MessageSid = sid()
    await twilioSays(installation, { MessageSid, MessageStatus: 'sent' }, undefined, `?message=${id}`)
    expect(await status()).toBe('accepted')
    await twilioSays(installation, { MessageSid, MessageStatus: 'delivered' })
    expect(await status()).toBe('delivered')
  })
})

describe('GOV.UK Notify', () => {
  const tell = (installation: string, body: object, bearer = BEARER) =>
    hook(installation, JSON.stringify(body), { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' })

  test('is trusted only with the token it was given', async () => {
    const id = await install('sms-gov-notify', { ...NOTIFY, callbackToken: BEARER })
    const text = {
      id: createId(),
      source_number: '447700900123',
      destination_number: '07900900002',
      message: 'Stop',
      date_received: '2026-01-01',
    }
    expect((await tell(id, text, 'another token of ours')).status).toBe(403)
    expect(await ledger()).toEqual([])
    expect((await tell(id, text)).status).toBe(200)
    expect((await tell(id, text)).status).toBe(200)
    expect(await ledger()).toMatchObject([{ phone: '+447700900123', given: false }])
    expect(await messages('in')).toHaveLength(1)
    expect((await tell(id, { nothing: 'known' })).status).toBe(200)
  })

  test('is never trusted without a token of its own', async () => {
    const id = await install('sms-gov-notify', NOTIFY)
    expect((await tell(id, { id: createId(), source_number: '447700900123', message: 'STOP' }, '')).status).toBe(403)
  })
})
