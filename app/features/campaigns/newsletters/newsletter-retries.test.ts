import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { findSiteMailTransport } from '#app/features/marketplace/site-mail-transport.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { mailAddresses, outboxMails } from '#app/server/db/schema/mail.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import { deliverMails } from '#app/server/mail/deliver.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { startSmtp } from '#tests/support/smtp.ts'
import { runCampaigns } from '../prepare-campaigns.server.ts'
import { toNewsletterContent } from './newsletters.schema.ts'

const own = await startSmtp()
const common = await startSmtp()
const runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1', SMTP_URL: common.url })
const START = new Date('2026-11-22T15:00:00Z')
let site: Site
let ctx: Ctx
let api: ReturnType<typeof createApiClient>

beforeEach(async () => {
  runtime.setNow(START)
  for (const server of [own, common]) Object.assign(server, { received: [], refuseWith: undefined, login: undefined, onRefusal: undefined })
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}`, languages: ['en'] })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
})

const one = (answer: ApiAnswer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body?.data as { id: string; meta: { lockVersion: number } }
}
/** Schedules a newsletter to a single reader. */
async function addLetter() {
  const { id: userId, email } = await addPerson(runtime, site)
  await ctx.db.tx((tx) => tx.update(users).set({ marketingConsentAt: START }).where(eq(users.id, userId)))
  const content = { ...toNewsletterContent([{ id: 'b1', type: 'rich_text', body: { en: 'Hello.' } }]) }
  const said = { name: 'News', subjectTranslations: { en: 'News' }, content }
  const { id } = one(await api.post('/newsletters', buildResourceDocument('newsletters', said)))
  one(
    await api.post(
      '/newsletter-sendings',
      buildResourceDocument('newsletter-sendings', {}, { to: { campaign: { type: 'newsletters', id } } }),
    ),
  )
  await runCampaigns(runtime)
  return { id, userId, email }
}
type Letter = Awaited<ReturnType<typeof addLetter>>
async function installOwn() {
  const settings = { host: '127.0.0.1', port: Number(new URL(own.url).port), security: 'none', from: 'hello@city.example' }
  const { id, meta } = one(await api.post('/installations', buildResourceDocument('installations', { integration: 'smtp', settings })))
  one(
    await api.patch(
      `/installations/${id}`,
      buildResourceDocument('installations', { enabled: true }, { id, lockVersion: meta.lockVersion }),
    ),
  )
  return id
}
const deliver = () => deliverMails(runtime, site.id, { wayOf: findSiteMailTransport })
const mailOf = async (id: string) => {
  const [mail] = await ctx.db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.campaignId, id)))
  return mail
}
const changeReader = ({ userId }: Letter, values: Partial<typeof users.$inferInsert>) =>
  ctx.db.tx((tx) => tx.update(users).set(values).where(eq(users.id, userId)))
const setPaused = async ({ id }: Letter, paused: boolean) =>
  one(await api.patch(`/newsletter-sendings/${id}`, buildResourceDocument('newsletter-sendings', { paused }, { id })))
const setStatus = (status: 'active' | 'suspended') => runtime.database.global.update(sites).set({ status }).where(eq(sites.id, site.id))
const later = (minutes: number) => runtime.setNow(new Date(runtime.now().getTime() + minutes * 60_000))

const FOR_GOOD: readonly [string, (letter: Letter) => Promise<unknown>, string][] = [
  ['its reader no longer wants news', (letter) => changeReader(letter, { marketingConsentAt: null }), 'consent-withdrawn'],
  ['its reader was blocked', (letter) => changeReader(letter, { blockedAt: START }), 'consent-withdrawn'],
  ['its reader has another address', (letter) => changeReader(letter, { email: `${createId()}@people.example` }), 'consent-withdrawn'],
  [
    'its address came back',
    ({ email }) =>
      ctx.db.tx((tx) => tx.insert(mailAddresses).values({ siteId: site.id, address: email, bouncedAt: START, updatedAt: START })),
    'address-bounced',
  ],
  ['it was cancelled', async ({ id }) => expect((await api.delete(`/newsletter-sendings/${id}`)).status).toBe(204), 'campaign-cancelled'],
]
const FOR_NOW: readonly [string, (letter: Letter) => Promise<unknown>, (letter: Letter) => Promise<unknown>][] = [
  ['it was paused', (letter) => setPaused(letter, true), (letter) => setPaused(letter, false)],
  ['the site was suspended', () => setStatus('suspended'), () => setStatus('active')],
]

describe('a newsletter’s email whose first attempt failed', () => {
  const addTried = async () => {
    const letter = await addLetter()
    common.refuseWith = '450 4.2.1 Not now'
    await deliver()
    common.refuseWith = undefined
    expect(await mailOf(letter.id)).toMatchObject({ attempts: 1, fault: null, sentAt: null })
    return letter
  }

  test.each(FOR_GOOD)('is never sent once %s', async (_why, happens, fault) => {
    const letter = await addTried()
    await happens(letter)
    later(5)
    await deliver()
    expect(common.received).toEqual([])
    expect(await mailOf(letter.id)).toMatchObject({ fault, sentAt: null })
  })

  test.each(FOR_NOW)('waits while %s, and is sent once afterwards', async (_why, happens, ends) => {
    const letter = await addTried()
    await happens(letter)
    later(5)
    await deliver()
    expect(common.received).toEqual([])
    await ends(letter)
    later(15)
    await deliver()
    await deliver()
    expect(common.received).toHaveLength(1)
  })

  test('does not use a service that has been switched off since', async () => {
    const installation = await installOwn()
    await addLetter()
    own.refuseWith = '450 4.2.1 Not now'
    await deliver()
    own.refuseWith = undefined
    await ctx.db.tx((tx) => tx.update(installations).set({ enabledAt: null }).where(eq(installations.id, installation)))
    later(5)
    await deliver()
    expect([own.received.length, common.received.length]).toEqual([0, 1])
  })
})

describe('a newsletter’s email that the site’s own service refuses', () => {
  test.each(FOR_GOOD)('is not passed to the shared service if %s meanwhile', async (_why, happens, fault) => {
    await installOwn()
    const letter = await addLetter()
    own.login = { user: 'another', password: 'another' }
    own.onRefusal = () => happens(letter)
    await deliver()
    expect([own.received.length, common.received.length]).toEqual([0, 0])
    expect(await mailOf(letter.id)).toMatchObject({ fault, sentAt: null })
  })

  test('is passed to the shared service otherwise', async () => {
    await installOwn()
    await addLetter()
    own.login = { user: 'another', password: 'another' }
    await deliver()
    expect([own.received.length, common.received.length]).toEqual([0, 1])
  })
})
