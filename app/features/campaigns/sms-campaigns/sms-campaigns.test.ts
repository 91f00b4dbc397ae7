import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { peopleGroupMembers, peopleGroups, users } from '#app/server/db/schema/accounts.ts'
import { areas, homeAreas } from '#app/server/db/schema/areas.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { campaigns, smsConsents, smsMessages, surveyKeywords, userPhones } from '#app/server/db/schema/messages.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema/opencities.ts'
import { hubs, projects, topics } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { siteFeatures, sites } from '#app/server/db/schema/sites.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { sendDueMessages } from '#app/features/sms/deliver-messages.server.ts'
import { receiveText } from '#app/features/sms/receive-messages.server.ts'
import { runCampaigns } from '../prepare-campaigns.server.ts'

const runtime = await createTestRuntime()
const title = { en: 'Bus lanes', 'fr-CA': 'Voies réservées', cy: 'Lonydd bws' }
const TEXT = { en: 'Hello {{name}}: {{link}}', 'fr-CA': 'Bonjour {{name}} : {{link}}', cy: 'Helo {{name}}, tŷ: {{link}}' }
let site: Site
let ctx: Ctx
let api: ReturnType<typeof createApiClient>
let hubId: string
let projectId: string
let number = 100

beforeAll(() => {
  // Noon in Toronto, outside the quiet hours.
  runtime.setNow(new Date(`${new Date().toISOString().slice(0, 10)}T16:30:00Z`))
})

beforeEach(async () => {
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  ;[hubId, projectId] = [createId(), createId()]
  const key = { siteId: site.id }
  await ctx.db.tx(async (tx) => {
    await tx.insert(siteFeatures).values({ ...key, name: 'marketplace_sms_integration', enabled: true })
    await tx.insert(installations).values({ ...key, id: createId(), integration: 'sms-sandbox', enabledAt: new Date() })
    await tx.insert(hubs).values({ ...key, id: hubId, slug: 'roads', title })
    await tx
      .insert(projects)
      .values({ ...key, id: projectId, slug: 'bus-lanes', title, summary: title, hubId, status: 'published', publishedAt: new Date() })
  })
})

/** By default, has a confirmed number, consented to text messages and follows the project. */
async function addReader(login: string, more: { locale?: ContentLanguage; consent?: boolean; follows?: boolean; blocked?: boolean } = {}) {
  const { id } = await addPerson(runtime, site)
  const phone = `+1613555${String(number++).padStart(4, '0')}`
  const key = { siteId: site.id }
  await ctx.db.tx(async (tx) => {
    await tx
      .update(users)
      .set({ login, locale: more.locale ?? 'en', blockedAt: more.blocked ? new Date() : null })
      .where(eq(users.id, id))
    await tx.insert(userPhones).values({ ...key, userId: id, phone, confirmedAt: new Date() })
    await tx.insert(smsConsents).values({
      ...key,
      id: createId(),
      phone,
      userId: id,
      given: more.consent ?? true,
      words: 'Yes',
      language: 'en',
      source: 'account',
      at: new Date(),
    })
    if (more.follows ?? true) await tx.insert(projectFollows).values({ ...key, projectId, userId: id })
  })
  return { id, phone }
}

const setAdded = async (addedLanguages: Site['addedLanguages']) => {
  await ctx.db.tx((tx) => tx.update(sites).set({ addedLanguages }).where(eq(sites.id, site.id)))
  runtime.sites.refresh()
}

const one = (answer: ApiAnswer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body?.data as {
    id: string
    attributes: Record<string, unknown>
    meta: { lockVersion: number; can: Record<string, boolean> }
  }
}
const draft = async (attributes: Record<string, unknown> = {}, to: Record<string, { type: string; id: string }> = {}) =>
  one(
    await api.post(
      '/sms-campaigns',
      buildResourceDocument('sms-campaigns', { name: 'Open day', bodyTranslations: TEXT, ...attributes }, { to }),
    ),
  ).id
const ofProject = () => draft({}, { project: { type: 'projects', id: projectId } })
const send = (id: string, attributes: Record<string, unknown> = {}) =>
  api.post('/sms-sendings', buildResourceDocument('sms-sendings', attributes, { to: { campaign: { type: 'sms-campaigns', id } } }))
const campaign = async (id: string) => one(await api.get(`/sms-campaigns/${id}`)).attributes
const estimate = async (id: string) => one(await api.get(`/sms-estimates/${id}`)).attributes
const texts = (id: string) => ctx.db.tx((tx) => tx.select().from(smsMessages).where(eq(smsMessages.campaignId, id)))
const work = async () => {
  await runCampaigns(runtime)
  await sendDueMessages(runtime)
  await runCampaigns(runtime)
}

describe('before a campaign is sent', () => {
  test('lists exactly who gets it, in which language and in how many text messages', async () => {
    await addReader('Ana')
    await addReader('Bran', { locale: 'cy' })
    await addReader('Refused', { consent: false })
    await addReader('Blocked', { blocked: true })
    await addReader('Elsewhere', { follows: false })
    const id = await ofProject()
    expect(await estimate(id)).toMatchObject({ recipients: 2, segments: 2 })
    const list = (await api.get(`/sms-recipients?filter[campaign]=${id}`)).body
    expect(list?.meta).toMatchObject({ total: 2 })
    const data = (list?.data ?? []) as { attributes: { login: string; phone: string; body: string } }[]
    const rows = data.map(({ attributes }) => attributes)
    expect(rows.map(({ login }) => login).toSorted()).toEqual(['Ana', 'Bran'])
    expect(rows.every(({ phone }) => /^…\d{4}$/.test(phone))).toBe(true)
    expect(rows.find(({ login }) => login === 'Bran')?.body).toMatch(/^Helo Bran, tŷ: http.*\/projects\/bus-lanes$/)
    expect(await estimate(await draft())).toMatchObject({ recipients: 3 })
    expect(await estimate(await draft({}, { hub: { type: 'hubs', id: hubId } }))).toMatchObject({ recipients: 2 })
    expect(await estimate(await draft({ audience: { language: 'cy' } }))).toMatchObject({ recipients: 1 })
  })

  test('goes out in an added language to those who read it, in the site’s to others, and each counts its own characters', async () => {
    await setAdded(['pa', 'so'])
    await addReader('Ana')
    await addReader('Gurpreet', { locale: 'pa' })
    await addReader('Ayaan', { locale: 'so' })
    await addReader('Ewa', { locale: 'pl' })
    // 71 characters that are not in the alphabet of text messages: two of them, where 71 plain ones are one.
    const pa = 'ਬੱਸ '.repeat(18).slice(0, 71)
    const id = await draft({ bodyTranslations: { ...TEXT, pa, en: 'Buses' } }, { project: { type: 'projects', id: projectId } })
    const { recipients, segments, languages } = await estimate(id)
    expect({ recipients, segments }).toEqual({ recipients: 4, segments: 5 })
    expect(languages).toEqual(
      expect.arrayContaining([
        { language: 'pa', recipients: 1, segments: 2 },
        { language: 'en', recipients: 3, segments: 3 },
      ]),
    )
    const rows = ((await api.get(`/sms-recipients?filter[campaign]=${id}`)).body?.data ?? []) as {
      attributes: { login: string; body: string; language: string }
    }[]
    expect(rows.find(({ attributes }) => attributes.login === 'Gurpreet')?.attributes).toMatchObject({ language: 'pa', body: pa })
    // Added languages are no gate: the three are complete.
    expect((await send(id)).status).toBe(201)
    await work()
    const sent = await texts(id)
    expect(sent.map(({ language }) => language).toSorted()).toEqual(['en', 'en', 'en', 'pa'])
    expect(sent.find(({ language }) => language === 'pa')).toMatchObject({ body: pa, segments: 2 })
    // A language that the site no longer has: its text is kept and not sent.
    await setAdded([])
    const later = await draft({ bodyTranslations: { ...TEXT, pa } }, { project: { type: 'projects', id: projectId } })
    expect((await estimate(later))['languages']).toEqual([{ language: 'en', recipients: 4, segments: 4 }])
  })

  test('requires every language of the site, and known merge fields', async () => {
    const id = await draft({ bodyTranslations: { en: 'Hello' } })
    expect(await send(id)).toMatchObject({ status: 422, codes: ['translation-missing', 'translation-missing'] })
    const unknown = await api.post(
      '/sms-campaigns',
      buildResourceDocument('sms-campaigns', { name: 'X', bodyTranslations: { en: '{{surname}}' } }),
    )
    expect(unknown).toMatchObject({ status: 422, codes: ['unknown-reference'] })
  })

  test('a hub’s administrator reaches only the hub’s own people, and sees no other campaigns', async () => {
    await addReader('Ana')
    await addReader('Elsewhere', { follows: false })
    const ofSite = await draft()
    const hub = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'hub_admin', hubId })).token)
    expect((await hub.get(`/sms-campaigns/${ofSite}`)).status).toBe(404)
    expect((await hub.get(`/sms-estimates/${ofSite}`)).status).toBe(404)
    expect((await hub.post('/sms-campaigns', buildResourceDocument('sms-campaigns', { name: 'All' }))).status).toBe(403)
    const made = await hub.post(
      '/sms-campaigns',
      buildResourceDocument('sms-campaigns', { name: 'Ours', bodyTranslations: TEXT }, { to: { hub: { type: 'hubs', id: hubId } } }),
    )
    expect(one(await hub.get(`/sms-estimates/${one(made).id}`)).attributes).toMatchObject({ recipients: 1 })
  })
})

describe('a campaign', () => {
  test('writes each message once, however often and by however many processes it is prepared', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => addReader(`Reader ${index}`)))
    const id = await ofProject()
    expect(one(await send(id)).id).toBe(id)
    expect((await send(id)).status).toBe(409)
    await Promise.all([runCampaigns(runtime), runCampaigns(runtime), runCampaigns(runtime)])
    expect(await texts(id)).toHaveLength(12)
    // As after a crash between two batches: messages already written are not written again.
    await ctx.db.tx((tx) => tx.update(campaigns).set({ status: 'preparing', preparedUntil: null }).where(eq(campaigns.id, id)))
    await work()
    expect(await texts(id)).toHaveLength(12)
    expect(await campaign(id)).toMatchObject({
      status: 'done',
      counts: { prepared: 12, waiting: 0, accepted: 12, delivered: 12, failed: 0, skipped: 0 },
    })
  })

  test('refuses an incomplete send time and one in the past', async () => {
    await addReader('Ana')
    const id = await ofProject()
    for (const sendAt of ['2026-12-05', '2026-12-05T', 'T09:00', '?T'])
      expect(await send(id, { sendAt })).toMatchObject({ status: 422, codes: ['half-a-moment'] })
    const passed = new Date(runtime.now().getTime() - 3_600_000).toISOString()
    const refused = await send(id, { sendAt: passed })
    expect(refused.body?.errors).toMatchObject([{ code: 'moment-passed', source: { pointer: '/data/attributes/sendAt' } }])
    await work()
    expect(await campaign(id)).toMatchObject({ status: 'draft', sendAt: null })
    expect(await texts(id)).toEqual([])
  })

  test('waits for its time, and skips readers who have withdrawn consent by then', async () => {
    const [ana, ben] = [await addReader('Ana'), await addReader('Ben')]
    const id = await ofProject()
    await send(id, { sendAt: new Date(runtime.now().getTime() + 3_600_000).toISOString() })
    await work()
    expect(await campaign(id)).toMatchObject({ status: 'scheduled', counts: { prepared: 0 } })
    const before = runtime.now()
    runtime.setNow(new Date(before.getTime() + 3_700_000))
    await runCampaigns(runtime)
    await ctx.db.tx((tx) =>
      tx.insert(smsConsents).values({
        siteId: site.id,
        id: createId(),
        phone: ben.phone,
        userId: ben.id,
        given: false,
        words: 'STOP',
        language: 'en',
        source: 'text',
        at: new Date(Date.now() + 86_400_000),
      }),
    )
    await work()
    runtime.setNow(before)
    const sent = await texts(id)
    expect(sent.find(({ phone }) => phone === ana.phone)?.status).toBe('delivered')
    expect(sent.find(({ phone }) => phone === ben.phone)).toMatchObject({ status: 'skipped', fault: 'consent-withdrawn' })
    expect(await campaign(id)).toMatchObject({ status: 'done', counts: { prepared: 2, accepted: 1, failed: 0, skipped: 1 } })
    const listed = await api.get(`/campaign-failures?filter[campaign]=${id}`)
    expect(listed.body?.data).toMatchObject([
      { attributes: { personId: ben.id, address: `…${ben.phone.slice(-4)}`, outcome: 'skipped', fault: 'consent-withdrawn' } },
    ])
  })

  test('respects quiet hours: at night it waits for the morning', async () => {
    await addReader('Ana')
    const id = await ofProject()
    await send(id)
    const noon = runtime.now()
    runtime.setNow(new Date(noon.getTime() + 11 * 3_600_000))
    await work()
    const [text] = await texts(id)
    expect(text?.status).toBe('waiting')
    expect(text?.nextAttemptAt?.toLocaleTimeString('en-GB', { timeZone: 'America/Toronto' })).toBe('08:00:00')
    runtime.setNow(new Date(noon.getTime() + 24 * 3_600_000))
    await work()
    runtime.setNow(noon)
    expect((await texts(id))[0]?.status).toBe('delivered')
  })

  test('can be paused, resumed and cancelled: waiting messages are held, sent, or dropped', async () => {
    await Promise.all(Array.from({ length: 4 }, (_, index) => addReader(`Reader ${index}`)))
    const id = await ofProject()
    await send(id)
    await runCampaigns(runtime)
    const pause = (paused: boolean) => api.patch(`/sms-sendings/${id}`, buildResourceDocument('sms-sendings', { paused }, { id }))
    expect(one(await pause(true)).attributes).toMatchObject({ paused: true })
    await work()
    expect(await campaign(id)).toMatchObject({ status: 'paused', counts: { waiting: 4, accepted: 0 } })
    await pause(false)
    await work()
    expect(await campaign(id)).toMatchObject({ status: 'done', counts: { accepted: 4 } })
    const second = await ofProject()
    await send(second)
    await runCampaigns(runtime)
    expect((await api.delete(`/sms-sendings/${second}`)).status).toBe(204)
    await work()
    expect(await campaign(second)).toMatchObject({ status: 'cancelled', counts: { prepared: 4, accepted: 0, failed: 0, skipped: 4 } })
    expect((await api.delete(`/sms-sendings/${second}`)).status).toBe(409)
  })

  test('can be tested on one’s own number first', async () => {
    const id = await ofProject()
    const trial = () =>
      api.post('/sms-tests', buildResourceDocument('sms-tests', { language: 'cy' }, { to: { campaign: { type: 'sms-campaigns', id } } }))
    expect(await trial()).toMatchObject({ status: 409, codes: ['no-phone'] })
    const me = one(await api.get('/current-user')).attributes as { user?: { id: string } }
    await ctx.db.tx((tx) =>
      tx.insert(userPhones).values({ siteId: site.id, userId: me.user?.id ?? '', phone: '+16135559999', confirmedAt: new Date() }),
    )
    one(await trial())
    await sendDueMessages(runtime)
    const [sent] = await ctx.db.tx((tx) => tx.select().from(smsMessages).where(eq(smsMessages.phone, '+16135559999')))
    expect(sent).toMatchObject({ purpose: 'test', language: 'cy', status: 'delivered', campaignId: null })
  })
})

describe('the cost of text messages, and a monthly limit', () => {
  const allow = (textsAMonth: number | null) =>
    ctx.db.tx((tx) =>
      tx.update(installations).set({ settings: { pricePerText: 0.05, currency: 'GBP', ...(textsAMonth === null ? {} : { textsAMonth }) } }),
    )
  const hours = (count: number) => new Date(runtime.now().getTime() + count * 3_600_000).toISOString()
  const resume = (id: string) => api.patch(`/sms-sendings/${id}`, buildResourceDocument('sms-sendings', { paused: false }, { id }))

  test('are shown before sending; what would exceed the month’s limit, reservations included, is refused', async () => {
    await addReader('Ana')
    await addReader('Bran')
    expect(await estimate(await ofProject())).toMatchObject({ segments: 2, cost: null, credit: null })
    await allow(3)
    const [first, second] = [await ofProject(), await ofProject()]
    expect(await estimate(first)).toMatchObject({ cost: { amount: 0.1, currency: 'GBP' }, credit: { limit: 3, used: 0 } })
    one(await send(first, { sendAt: hours(1) }))
    expect(await estimate(second)).toMatchObject({ credit: { limit: 3, used: 2 } })
    expect(await send(second)).toMatchObject({ status: 409, codes: ['sms-limit-passed'] })
    expect(await campaign(second)).toMatchObject({ status: 'draft' })
    one(await send(second, { sendAt: hours(40 * 24) }))
    await work()
    expect(await campaign(first)).toMatchObject({ status: 'scheduled', overLimit: false })
  })

  test('also hold if the audience has grown since: it pauses before its first message, or at the batch that would exceed the limit, until resumed', async () => {
    await Promise.all(Array.from({ length: 4 }, (_, index) => addReader(`Reader ${index}`)))
    const [whole, late] = [await ofProject(), await ofProject()]
    await send(whole)
    await send(late)
    await allow(7)
    // Preparation had already begun, so the limit is checked batch by batch.
    await ctx.db.tx((tx) =>
      tx
        .update(campaigns)
        .set({ status: 'preparing', preparedUntil: '00000000-0000-0000-0000-000000000001' })
        .where(eq(campaigns.id, late)),
    )
    await Promise.all([work(), work()])
    const standing = await Promise.all([whole, late].map(campaign))
    expect(standing.map(({ status }) => status).toSorted()).toEqual(['done', 'paused'])
    const stopped = standing.findIndex(({ overLimit }) => overLimit)
    const id = [whole, late][stopped] ?? ''
    expect(standing[stopped]).toMatchObject({ status: 'paused', counts: { prepared: 0 } })
    expect(await texts(id)).toEqual([])
    await resume(id)
    await work()
    expect(await campaign(id)).toMatchObject({ status: 'paused', overLimit: true })
    await allow(8)
    await resume(id)
    await work()
    expect(await campaign(id)).toMatchObject({ status: 'done', overLimit: false, counts: { accepted: 4 } })
  })
})

test('filters an audience by topic, and by groups of people the viewer manages', async () => {
  const { id: ana } = await addReader('Ana')
  await addReader('Bran')
  const [topic, group, ofHub] = [createId(), createId(), createId()]
  const key = { siteId: site.id }
  await ctx.db.tx(async (tx) => {
    await tx.insert(topics).values({ ...key, id: topic, slug: 'roads', title })
    await tx.insert(peopleGroups).values([
      { ...key, id: group, name: 'Panel', rule: null, hubId: null },
      { ...key, id: ofHub, name: 'Crews', rule: null, hubId },
    ])
    await tx.insert(peopleGroupMembers).values({ ...key, groupId: group, userId: ana })
  })
  expect(await estimate(await draft({ audience: { group } }))).toMatchObject({ recipients: 1 })
  expect(await estimate(await draft({ audience: { topic } }))).toMatchObject({ recipients: 0 })
  await ctx.db.tx((tx) => tx.update(projects).set({ topicId: topic }).where(eq(projects.id, projectId)))
  expect(await estimate(await draft({ audience: { topic } }))).toMatchObject({ recipients: 2 })
  const hubAdmin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'hub_admin', hubId })).token)
  const to = { hub: { type: 'hubs', id: hubId } }
  const by = (audience: object) =>
    hubAdmin.post('/sms-campaigns', buildResourceDocument('sms-campaigns', { name: 'Roads', audience }, { to }))
  expect((await by({ group })).codes).toEqual(['not-a-choice'])
  expect((await by({ group: ofHub })).codes).toEqual([])
})

test('an area limits an audience to people who consented to being targeted by it, and the number without an area is shown', async () => {
  const people = await Promise.all(['Ana', 'Bran', 'Cai', 'Dee'].map((login) => addReader(login)))
  const key = { siteId: site.id }
  const [dataset, north, south] = [createId(), createId(), createId()]
  await ctx.db.tx(async (tx) => {
    const connector = createId()
    const portalUrl = 'https://portal.example/wards.geojson'
    await tx.insert(cityConnectors).values({ ...key, id: connector, name: 'Wards', portalUrl, kind: 'geojson' })
    await tx
      .insert(cityDatasets)
      .values({ ...key, id: dataset, connectorId: connector, slug: 'wards', sourceId: portalUrl, title: { en: 'Wards' }, dueAt: null })
    await tx.insert(areas).values([north, south].map((id) => ({ ...key, id, datasetId: dataset, slug: id, name: id, rings: [] })))
    const lives = [
      { areaId: north, newsConsentedAt: new Date() },
      { areaId: south, newsConsentedAt: new Date() },
      { areaId: north, newsConsentedAt: null },
    ]
    await tx.insert(homeAreas).values(lives.map((one, at) => ({ ...key, userId: people[at]?.id ?? '', consentedAt: new Date(), ...one })))
  })
  expect(await estimate(await draft())).toMatchObject({ recipients: 4, withoutArea: null })
  expect(await estimate(await draft({ audience: { area: north } }))).toMatchObject({ recipients: 1, withoutArea: 2 })
  expect(await estimate(await draft({ audience: { area: south, language: 'cy' } }))).toMatchObject({ recipients: 0, withoutArea: 0 })
  // Without its area, the campaign must reach nobody rather than everybody: it waits for somebody to choose again.
  const [scheduled, drafted] = [await draft({ audience: { area: north } }), await draft({ audience: { area: north } })]
  const soon = { sendAt: new Date(runtime.now().getTime() + 60_000).toISOString() }
  await send(scheduled, soon)
  expect(await campaign(scheduled)).toMatchObject({ status: 'scheduled', chosen: { area: north } })
  const ofHub = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'hub_admin', hubId })).token)
  const asDrafted = buildResourceDocument(
    'sms-campaigns',
    { name: 'Of roads', bodyTranslations: TEXT, audience: { area: north } },
    { to: { hub: { type: 'hubs', id: hubId } } },
  )
  const theirs = one(await ofHub.post('/sms-campaigns', asDrafted)).id
  one(
    await ofHub.post(
      '/sms-sendings',
      buildResourceDocument('sms-sendings', soon, { to: { campaign: { type: 'sms-campaigns', id: theirs } } }),
    ),
  )
  await ctx.db.tx((tx) => tx.delete(areas).where(eq(areas.id, north)))
  expect(await send(drafted)).toMatchObject({ status: 422, codes: ['area-gone'] })
  const noon = runtime.now()
  runtime.setNow(new Date(noon.getTime() + 120_000))
  await work()
  runtime.setNow(noon)
  expect(await campaign(scheduled)).toMatchObject({ status: 'draft', sendAt: null, chosen: { area: null }, counts: { prepared: 0 } })
  const again = one(await api.get(`/sms-campaigns/${scheduled}`))
  // Notifies the person who scheduled it and the site's administrators, and nobody else in its department.
  const told = async (as: typeof api) =>
    ((await as.get('/notifications')).body?.data as { attributes: Record<string, unknown> }[] | undefined)?.map(
      ({ attributes }) => attributes,
    )
  const other = await addPerson(runtime, site, { role: 'hub_admin', hubId })
  const returned = { kind: 'text-returned', read: false }
  expect(await told(api)).toHaveLength(2)
  expect(await told(api)).toContainEqual(expect.objectContaining({ ...returned, title: 'Open day', subject: scheduled }))
  expect(await told(ofHub)).toMatchObject([{ ...returned, title: 'Of roads', subject: theirs }])
  expect(await told(createApiClient(runtime, site, other.token))).toEqual([])
  expect((await ofHub.delete(`/sms-campaigns/${theirs}`)).status).toBe(204)
  const choice = { id: scheduled, lockVersion: again.meta.lockVersion }
  one(await api.patch(`/sms-campaigns/${scheduled}`, buildResourceDocument('sms-campaigns', { audience: { area: south } }, choice)))
  one(await send(scheduled))
  expect(await told(api)).toEqual([])
  // Without a service it cannot be prepared: after a while, that is reported too.
  await ctx.db.tx((tx) => tx.update(installations).set({ enabledAt: null }))
  runtime.setNow(new Date(noon.getTime() + 660_000))
  await work()
  expect(await told(api)).toMatchObject([{ kind: 'text-stuck', subject: scheduled }])
  await ctx.db.tx((tx) => tx.update(siteFeatures).set({ enabled: false }))
  expect(await told(api)).toEqual([])
  runtime.setNow(noon)
})

describe('a campaign that asks a survey', () => {
  const definition: Definition = {
    schema: 1,
    pages: [
      {
        id: 'p1',
        questions: [
          { id: 'again', type: 'yes_no', required: true, title },
          { id: 'stars', type: 'rating', required: true, title, scale: { max: 5 } },
        ],
      },
    ],
  }
  const asking = async () => {
    const survey = await addSurvey(runtime, site, { projectId, definition })
    await ctx.db.tx((tx) => tx.insert(surveyKeywords).values({ siteId: site.id, keyword: 'LANES', surveyId: survey.id, language: 'en' }))
    return survey.id
  }
  const text = (phone: string, body: string) => receiveText(ctx, 'sms-sandbox', { kind: 'text', providerId: createId(), phone, body })

  test('ends its text with the first question, and asks people who answer the rest, once', async () => {
    const { phone, id: userId } = await addReader('Ana', { locale: 'fr-CA' })
    await addReader('Bran')
    const survey = await asking()
    const id = await draft({}, { project: { type: 'projects', id: projectId }, survey: { type: 'surveys', id: survey } })
    expect((await send(id)).status).toBe(201)
    await work()
    const [first] = (await texts(id)).filter((one) => one.phone === phone)
    expect(first?.body).toMatch(/^Bonjour Ana : .+\nVoies réservées\nRépondez OUI ou NON\.$/)
    expect(first?.segments).toBe(1)
    await text(phone, 'oui')
    await text(phone, '4')
    await sendDueMessages(runtime)
    const stored = await ctx.db.tx((tx) => tx.select().from(responses).where(eq(responses.surveyId, survey)))
    expect(stored).toMatchObject([{ source: 'sms', userId, language: 'fr-CA', answers: { again: { choice: 'yes' }, stars: 4 } }])
    const before = await ctx.db.tx((tx) => tx.$count(smsMessages, eq(smsMessages.direction, 'out')))
    await text(phone, 'merci')
    expect(await ctx.db.tx((tx) => tx.$count(smsMessages, eq(smsMessages.direction, 'out')))).toBe(before)
  })

  test('asks only surveys of its own place that accept text messages', async () => {
    const survey = { type: 'surveys', id: await asking() }
    const other = { type: 'surveys', id: (await addSurvey(runtime, site, { projectId, definition })).id }
    const elsewhere = { type: 'surveys', id: (await addSurvey(runtime, site, { definition })).id }
    const project = { type: 'projects', id: projectId }
    const made = async (to: Record<string, { type: string; id: string }>) =>
      (await api.post('/sms-campaigns', buildResourceDocument('sms-campaigns', { name: 'Ask' }, { to }))).codes
    expect(await made({ project, survey })).toEqual([])
    expect(await made({ hub: { type: 'hubs', id: hubId }, survey })).toEqual([])
    expect(await made({ project, survey: other })).toEqual(['not-by-text'])
    expect(await made({ project, survey: elsewhere })).toEqual(['not-by-text'])
  })
})

test('the sandbox accepts incoming text messages, but only from site administrators', async () => {
  const phone = '613 555 0199'
  const from = (token: string) =>
    createApiClient(runtime, site, token).post('/sandbox-texts', buildResourceDocument('sandbox-texts', { phone, body: 'Hello' }))
  expect((await from((await addPerson(runtime, site, { role: 'hub_admin', hubId })).token)).codes).toEqual(['forbidden'])
  const { token } = await addPerson(runtime, site, { role: 'site_admin' })
  expect((await from(token)).status).toBe(201)
  const list = (await createApiClient(runtime, site, token).get('/sms-messages?filter[phone]=%2B16135550199')).body?.data
  expect(list).toMatchObject([{ attributes: { direction: 'in', phone: '+16135550199', body: 'Hello' } }])
  await ctx.db.tx((tx) => tx.update(installations).set({ enabledAt: null }))
  expect((await from(token)).codes).toEqual(['sms-not-enabled'])
})
