import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { campaigns, smsConsents, smsMessages, userPhones } from '#app/server/db/schema/messages.ts'
import { siteFeatures, sites } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { servePortal } from '#tests/support/portals/serve.ts'
import { NOTIFY } from '#tests/support/sms/gov-notify.ts'
import { serveTwilio, TWILIO } from '#tests/support/sms/twilio.ts'
import { sendDueMessages } from './deliver-messages.server.ts'
import { queueMessage } from './messages.server.ts'
import { receiveText } from './receive-messages.server.ts'

const runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
const twilio = await serveTwilio()
/** Runs while the first service is being called, before it refuses. */
let meanwhile = () => Promise.resolve()
const refusing = await servePortal((_url, response) => {
  void meanwhile().then(() => response.writeHead(403, { 'content-type': 'application/json' }).end('{}'))
})
// Noon in Toronto.
const NOON = new Date('2026-11-24T17:00:00Z')
const NIGHT = new Date('2026-11-25T03:00:00Z')
const MORNING = new Date('2026-11-25T14:00:00Z')
let site: Site
let ctx: Ctx
let api: ReturnType<typeof createApiClient>
let number = 100

beforeEach(async () => {
  runtime.setNow(NOON)
  meanwhile = () => Promise.resolve()
  await runtime.database.global.update(sites).set({ status: 'suspended' })
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  await ctx.db.tx((tx) => tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true }))
  twilio.taken.length = 0
  twilio.moods.length = 0
})

const one = (answer: ApiAnswer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body?.data as { id: string; meta: { lockVersion: number } }
}
const enable = async (id: string, enabled: boolean) => {
  const { meta } = one(await api.get(`/installations/${id}`))
  one(await api.patch(`/installations/${id}`, buildResourceDocument('installations', { enabled }, { id, lockVersion: meta.lockVersion })))
}
const install = async (integration: string, settings: Record<string, unknown>) => {
  const { id } = one(await api.post('/installations', buildResourceDocument('installations', { integration, settings })))
  await enable(id, true)
  return id
}
const installTwilio = (perSecond = 100) => install('sms-twilio', { address: twilio.origin, ...TWILIO, perSecond })

/** A campaign being sent, with one text to somebody who agreed to texts. */
async function addText() {
  const [campaignId, id] = [createId(), createId()]
  const { id: userId } = await addPerson(runtime, site)
  const phone = `+1613555${String(number++).padStart(4, '0')}`
  const own = { siteId: site.id }
  await ctx.db.tx(async (tx) => {
    await tx.insert(userPhones).values({ ...own, userId, phone, confirmedAt: NOON })
    await tx
      .insert(smsConsents)
      .values({ ...own, id: createId(), phone, userId, given: true, words: 'Yes', language: 'en', source: 'account', at: new Date(0) })
    await tx
      .insert(campaigns)
      .values({ ...own, id: campaignId, name: 'News', channel: 'sms', status: 'sending', createdAt: NOON, updatedAt: NOON })
    const text = { direction: 'out', purpose: 'campaign', status: 'waiting', language: 'en', body: 'News' } as const
    await tx.insert(smsMessages).values({ ...own, ...text, id, phone, userId, campaignId, createdAt: NOON, nextAttemptAt: NOON })
  })
  return { id, campaignId, phone, userId }
}
type Text = Awaited<ReturnType<typeof addText>>
const stored = async (id: string) => {
  const [row] = await ctx.db.tx((tx) => tx.select().from(smsMessages).where(eq(smsMessages.id, id)))
  return row
}
const stop = ({ phone }: { phone: string }) => receiveText(ctx, 'sms-twilio', { kind: 'text', providerId: createId(), phone, body: 'STOP' })
const setPaused = async ({ campaignId }: Text, paused: boolean) =>
  one(await api.patch(`/sms-sendings/${campaignId}`, buildResourceDocument('sms-sendings', { paused }, { id: campaignId })))
const setFeature = (enabled: boolean) => ctx.db.tx((tx) => tx.update(siteFeatures).set({ enabled }))
const setStatus = (status: 'active' | 'suspended') => runtime.database.global.update(sites).set({ status }).where(eq(sites.id, site.id))
/** Long enough after `now` for any retry, by day or by night. */
const laterThan = (now: Date) => runtime.setNow(new Date(now.getTime() + 10 * 60_000))
const campaignTexts = () => twilio.taken.filter(({ body }) => body === 'News')

/** What happens between the first attempt and the retry, and how the text ends for good. */
const FOR_GOOD: readonly [string, (text: Text) => Promise<unknown>, { status: string; fault: string }][] = [
  ['its reader wrote STOP', stop, { status: 'skipped', fault: 'consent-withdrawn' }],
  [
    'its reader was blocked',
    ({ userId }) => ctx.db.tx((tx) => tx.update(users).set({ blockedAt: NOON }).where(eq(users.id, userId))),
    { status: 'skipped', fault: 'consent-withdrawn' },
  ],
  [
    'its reader has another number',
    ({ userId }) => ctx.db.tx((tx) => tx.update(userPhones).set({ phone: '+16135559999' }).where(eq(userPhones.userId, userId))),
    { status: 'skipped', fault: 'consent-withdrawn' },
  ],
  [
    'its campaign was cancelled',
    async ({ campaignId }) => expect((await api.delete(`/sms-sendings/${campaignId}`)).status).toBe(204),
    { status: 'skipped', fault: 'campaign-cancelled' },
  ],
]

/** What only delays the retry, and how the delay ends. */
const FOR_NOW: readonly [string, (text: Text, installation: string) => Promise<unknown>, (text: Text, installation: string) => unknown][] =
  [
    [
      'the night came',
      () => Promise.resolve(runtime.setNow(NIGHT)),
      () => {
        runtime.setNow(MORNING)
      },
    ],
    ['its campaign was paused', (text) => setPaused(text, true), (text) => setPaused(text, false)],
    ['the service was switched off', (_, id) => enable(id, false), (_, id) => enable(id, true)],
    ['texts were switched off for the site', () => setFeature(false), () => setFeature(true)],
    ['the site was suspended', () => setStatus('suspended'), () => setStatus('active')],
  ]

describe.each([
  ['left unsure', 'closes'],
  ['refused for now', 'busy'],
] as const)('a text whose first attempt was %s', (_, mood) => {
  const addTried = async () => {
    const installation = await installTwilio()
    const text = await addText()
    twilio.moods.push(mood)
    await sendDueMessages(runtime)
    expect(await stored(text.id)).toMatchObject({ status: mood === 'closes' ? 'sending' : 'waiting', attempts: 1 })
    return { installation, text }
  }

  test('is sent by the retry', async () => {
    const { text } = await addTried()
    laterThan(NOON)
    await sendDueMessages(runtime)
    expect(campaignTexts()).toMatchObject([{ to: text.phone }])
  })

  test.each(FOR_GOOD)('is never sent once %s', async (_why, happens, expected) => {
    const { text } = await addTried()
    await happens(text)
    laterThan(NOON)
    await sendDueMessages(runtime)
    expect(campaignTexts()).toEqual([])
    expect(await stored(text.id)).toMatchObject({ ...expected, nextAttemptAt: null })
  })

  test.each(FOR_NOW)('waits when %s, and is sent once afterwards', async (_why, happens, ends) => {
    const { installation, text } = await addTried()
    await happens(text, installation)
    if (runtime.now() < NIGHT) laterThan(NOON)
    await sendDueMessages(runtime)
    expect(campaignTexts()).toEqual([])
    await ends(text, installation)
    if (runtime.now() < NIGHT) runtime.setNow(new Date(NOON.getTime() + 20 * 60_000))
    await sendDueMessages(runtime)
    expect(campaignTexts()).toHaveLength(1)
    expect(await stored(text.id)).toMatchObject({ status: 'accepted' })
  })
})

describe('a second service called in the same attempt', () => {
  test.each(FOR_GOOD)('gets nothing if %s while the first was called', async (_why, happens, expected) => {
    await install('sms-gov-notify', { address: refusing.origin, ...NOTIFY })
    await installTwilio()
    const text = await addText()
    meanwhile = async () => void (await happens(text))
    await sendDueMessages(runtime)
    expect(campaignTexts()).toEqual([])
    expect(await stored(text.id)).toMatchObject(expected)
  })

  test('gets nothing if it was disabled meanwhile', async () => {
    await install('sms-gov-notify', { address: refusing.origin, ...NOTIFY })
    const second = await installTwilio()
    const text = await addText()
    meanwhile = async () => {
      await ctx.db.tx((tx) => tx.update(installations).set({ enabledAt: null }).where(eq(installations.id, second)))
    }
    await sendDueMessages(runtime)
    expect(campaignTexts()).toEqual([])
    expect(await stored(text.id)).toMatchObject({ status: 'waiting' })
  })

  test('gets texts no faster than it allows', async () => {
    await install('sms-gov-notify', { address: refusing.origin, ...NOTIFY })
    await installTwilio(4)
    // Fewer than the failures after which the first service is paused.
    for (let count = 0; count < 4; count++) await addText()
    const begun = performance.now()
    await sendDueMessages(runtime)
    const seconds = (performance.now() - begun) / 1000
    expect(campaignTexts()).toHaveLength(4)
    // A quarter of a second's worth may go out at once.
    expect(4 / (seconds + 0.25)).toBeLessThanOrEqual(4)
  })
})

test.each(['survey', 'test'] as const)(
  'a waiting text of another kind (%s) is not sent after STOP, but the reply to STOP is',
  async (purpose) => {
    await installTwilio()
    const phone = '+16135550177'
    const id = await ctx.db.tx((tx) => queueMessage(ctx, tx, { purpose, phone, language: 'en', body: 'News', userId: null }))
    await stop({ phone })
    await sendDueMessages(runtime)
    expect(twilio.taken).toHaveLength(1)
    expect(campaignTexts()).toEqual([])
    expect(await stored(id)).toMatchObject({ status: 'skipped', fault: 'consent-withdrawn' })
  },
)
