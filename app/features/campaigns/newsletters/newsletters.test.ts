import { and, eq, isNotNull } from 'drizzle-orm'
import type pg from 'pg'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toNewsletterContent } from '#app/features/campaigns/newsletters/newsletters.schema.ts'
import { loadLinkedMails } from '#app/features/follows/follows.server.ts'
import type { HomeBlock } from '#app/features/homepage/homepage.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import { receiveMailReport } from '#app/features/marketplace/mail-reports.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx, withViewer } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { mailAddresses, mailConsents, outboxMails } from '#app/server/db/schema/mail.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import { deliverMails } from '#app/server/mail/deliver.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import type { Site } from '#app/server/site-directory.ts'
import { alterToken } from '#tests/support/alter-token.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { startSmtp, type TestSmtp } from '#tests/support/smtp.ts'
import { updateProfile } from '../../accounts/profile.server.ts'
import { unsubscribeByLink } from '../../follows/follows.server.ts'
import { findLinkTarget } from '../links/message-links.server.ts'
import { runCampaigns } from '../prepare-campaigns.server.ts'
import { requestContext } from '#tests/support/request-context.ts'

let runtime: TestRuntime
let smtp: TestSmtp
let site: Site
let ctx: Ctx
let api: ReturnType<typeof createApiClient>
const [hubId, projectId] = [createId(), createId()]
const TOKEN = 'only the mail server knows it'
const title = { en: 'Bus lanes', 'fr-CA': 'Voies réservées', cy: 'Lonydd bws' }
const SUBJECT = { en: 'News of {{site}}', 'fr-CA': 'Nouvelles de {{site}}', cy: 'Newyddion {{site}}' }
const BLOCKS: HomeBlock[] = [
  { id: 'b1', type: 'rich_text', body: { en: 'Dear {{name}}, [see](/projects/bus-lanes).', 'fr-CA': 'Bonjour !', cy: 'Helo.' } },
  { id: 'b2', type: 'project_grid', title: {}, filter: 'chosen', limit: 6, projectIds: [projectId] },
]

beforeAll(async () => {
  smtp = await startSmtp()
  runtime = await createTestRuntime({ SMTP_URL: smtp.url, MAIL_REPORT_TOKEN: TOKEN, MAIL_BOUNCES_TO: 'returned@parley.example' })
})

beforeEach(async () => {
  smtp.received.length = 0
  smtp.refuseWith = undefined
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  await ctx.db.tx(async (tx) => {
    await tx.insert(hubs).values({ siteId: site.id, id: hubId, slug: 'roads', title })
    await tx.insert(projects).values({
      siteId: site.id,
      id: projectId,
      slug: 'bus-lanes',
      title,
      summary: title,
      hubId,
      status: 'published',
      publishedAt: new Date(),
    })
  })
})

/** By default, has a confirmed address, consented to news and follows the project. */
async function addReader(
  login: string,
  more: { locale?: Language; consent?: boolean; follows?: boolean; blocked?: boolean; confirmed?: boolean } = {},
) {
  const { id, email } = await addPerson(runtime, site, { confirmed: more.confirmed ?? true })
  await ctx.db.tx(async (tx) => {
    await tx
      .update(users)
      .set({
        login,
        locale: more.locale ?? 'en',
        blockedAt: more.blocked ? new Date() : null,
        marketingConsentAt: (more.consent ?? true) ? new Date() : null,
      })
      .where(eq(users.id, id))
    if (more.follows ?? true) await tx.insert(projectFollows).values({ siteId: site.id, projectId, userId: id })
  })
  return { id, email }
}

const one = (answer: ApiAnswer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body?.data as { id: string; attributes: Record<string, unknown> }
}
const toProject = { project: { type: 'projects', id: projectId } }
const draft = async (attributes: Record<string, unknown> = {}, to: Record<string, { type: string; id: string }> = toProject) => {
  const said = { name: 'May news', subjectTranslations: SUBJECT, content: { ...toNewsletterContent(BLOCKS) }, ...attributes }
  return one(await api.post('/newsletters', buildResourceDocument('newsletters', said, { to }))).id
}
const send = (id: string, attributes: Record<string, unknown> = {}) =>
  api.post(
    '/newsletter-sendings',
    buildResourceDocument('newsletter-sendings', attributes, { to: { campaign: { type: 'newsletters', id } } }),
  )
const failures = async (campaign: string) =>
  ((await api.get(`/campaign-failures?filter[campaign]=${campaign}`)).body?.data as { attributes: object }[] | undefined)?.map(
    ({ attributes }) => attributes,
  )
const letter = async (id: string) => one(await api.get(`/newsletters/${id}`)).attributes
const estimate = async (id: string) => one(await api.get(`/newsletter-estimates/${id}`)).attributes
const mails = (id: string) => ctx.db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.campaignId, id)))
const work = async () => {
  await runCampaigns(runtime)
  await deliverMails(runtime, site.id)
  await runCampaigns(runtime)
}
/** Decodes a quoted-printable email. */
const readable = (data: string) =>
  Buffer.from(
    data.replaceAll(/=\n/g, '').replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

describe('before a newsletter is sent', () => {
  test('lists exactly who gets it, and who gets another language because theirs is incomplete', async () => {
    const { email } = await addReader('Ana')
    await addReader('Bran', { locale: 'cy' })
    await addReader('Refused', { consent: false })
    await addReader('Blocked', { blocked: true })
    await addReader('Unconfirmed', { confirmed: false })
    const elsewhere = await addReader('Elsewhere', { follows: false })
    await ctx.db.tx((tx) =>
      tx.insert(mailAddresses).values({ siteId: site.id, address: elsewhere.email, bouncedAt: new Date(), updatedAt: new Date() }),
    )
    const id = await draft({ subjectTranslations: { en: 'News', 'fr-CA': 'Nouvelles' } })
    expect(await estimate(id)).toEqual({
      recipients: 2,
      languages: expect.arrayContaining([
        { language: 'en', gets: 'en', recipients: 1 },
        { language: 'cy', gets: 'en', recipients: 1 },
      ]) as unknown,
      withoutArea: null,
      unreachable: 0,
      delivers: true,
    })
    expect(await estimate(await draft({}, {}))).toMatchObject({ recipients: 2, unreachable: 1 })
    expect(await estimate(await draft({ audience: { language: 'cy' } }))).toMatchObject({ recipients: 1 })
    const list = (await api.get(`/newsletter-recipients?filter[campaign]=${id}`)).body
    expect(list?.meta).toMatchObject({ total: 2 })
    const rows = ((list?.data ?? []) as { attributes: Record<string, string> }[]).map(({ attributes }) => attributes)
    expect(rows).toContainEqual({ login: 'Ana', email, language: 'en' })
    expect(rows).toContainEqual(expect.objectContaining({ login: 'Bran', language: 'en' }))
  })

  test('reads a page of them alone, however many there are', async () => {
    for (let count = 0; count < 12; count++) await addReader(`Reader ${count}`)
    const id = await draft()
    const counts: number[] = []
    const undo: (() => void)[] = []
    const listen = (client: pg.PoolClient) => {
      const ask = client.query.bind(client)
      const query = (...given: unknown[]) => {
        const answer = Reflect.apply(ask, undefined, given) as Promise<pg.QueryResult> | undefined
        void answer?.then?.(({ rows }) => counts.push(rows?.length ?? 0))
        return answer
      }
      Object.assign(client, { query })
      undo.push(() => Reflect.deleteProperty(client, 'query'))
    }
    runtime.database.pool.on('acquire', listen)
    const pages = await Promise.all(
      [1, 2, 3].map((number) => api.get(`/newsletter-recipients?filter[campaign]=${id}&page[size]=5&page[number]=${number}`)),
    )
    runtime.database.pool.off('acquire', listen)
    for (const restore of undo.toReversed()) restore()
    const ids = pages.flatMap(({ body }) => ((body?.data ?? []) as { id: string }[]).map((row) => row.id))
    expect(new Set(ids).size).toBe(12)
    expect(pages.map(({ body }) => body?.meta)).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ total: 12 }) as unknown))
    expect(Math.max(...counts)).toBe(5)
  })

  test('requires the site’s own language, blocks that an email can show, and known merge fields', async () => {
    const without = await draft({ subjectTranslations: { cy: 'Newyddion' }, content: { ...toNewsletterContent([]) } })
    // English is the site’s own language, which cannot be waived; French can.
    expect(await send(without)).toMatchObject({ status: 422, codes: ['translation-missing', 'translation-missing', 'required'] })
    expect(await send(without, { waived: ['subject.en', 'subject.fr-CA'] })).toMatchObject({
      status: 422,
      codes: ['translation-missing', 'required'],
    })
    const said = (blocks: HomeBlock[]) =>
      api.post('/newsletters', buildResourceDocument('newsletters', { name: 'X', content: { ...toNewsletterContent(blocks) } }))
    expect((await said([{ id: 'v', type: 'counters', counters: ['answers'] }])).codes).toEqual(['not-a-choice'])
    expect((await said([{ id: 'b', type: 'rich_text', body: { en: 'Dear {{surname}}' } }])).codes).toEqual(['unknown-reference'])
  })

  test('a hub’s administrator reaches only the hub’s own people, and a drafter cannot send', async () => {
    await addReader('Ana')
    const ofSite = await draft({}, {})
    const hub = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'hub_admin', hubId })).token)
    for (const path of [`/newsletters/${ofSite}`, `/newsletter-estimates/${ofSite}`]) expect((await hub.get(path)).status).toBe(404)
    expect((await hub.post('/newsletters', buildResourceDocument('newsletters', { name: 'All' }))).status).toBe(403)
    const drafter = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'project_admin', projectId })).token)
    const id = await draft()
    const sending = buildResourceDocument('newsletter-sendings', {}, { to: { campaign: { type: 'newsletters', id } } })
    expect((await drafter.get(`/newsletters/${id}`)).status).toBe(200)
    expect((await drafter.post('/newsletter-sendings', sending)).codes).toEqual(['forbidden'])
    expect((await hub.post('/newsletter-sendings', sending)).status).toBe(201)
  })

  test('sends a test to one’s own address, which cannot unsubscribe anybody', async () => {
    const id = await draft()
    const trial = (language: string) =>
      api.post(
        '/newsletter-tests',
        buildResourceDocument('newsletter-tests', { language }, { to: { campaign: { type: 'newsletters', id } } }),
      )
    one(await trial('cy'))
    await deliverMails(runtime, site.id)
    expect(smtp.received).toHaveLength(1)
    expect(readable(smtp.received[0]?.data ?? '')).toContain('/cy/account/profile')
    expect(smtp.received[0]?.data).not.toContain('List-Unsubscribe')
  })
})

describe('a newsletter', () => {
  test('reaches everybody once, in their language, as text and HTML, with one-click unsubscribe and tagged links', async () => {
    const ana = await addReader('Ana <b>')
    await addReader('Bran', { locale: 'cy' })
    const id = await draft()
    expect(one(await send(id)).id).toBe(id)
    expect((await send(id)).status).toBe(409)
    await Promise.all([runCampaigns(runtime), runCampaigns(runtime), runCampaigns(runtime)])
    // As after a crash between two batches: messages already written are not written again.
    await ctx.db.tx((tx) => tx.update(campaigns).set({ status: 'preparing', preparedUntil: null }).where(eq(campaigns.id, id)))
    await work()
    expect(smtp.received).toHaveLength(2)
    expect(await letter(id)).toMatchObject({ status: 'done', counts: { prepared: 2, waiting: 0, accepted: 2, failed: 0, skipped: 0 } })
    const mail = smtp.received.find(({ to }) => to[0]?.includes(ana.email))?.data ?? ''
    expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    expect(mail).toMatch(new RegExp(`^Subject: News of ${site.name}$`, 'm'))
    const body = readable(mail)
    expect(body).toContain('Dear Ana <b>, see (http')
    expect(body).toContain('Dear Ana &lt;b&gt;, <a href=')
    // Links lead through an address of the site that counts them; those to unsubscribe and to the account do not.
    const [, code = ''] = /<a href="http[^"]+\/l\/([a-z2-7]{10})"/.exec(body) ?? []
    expect(await findLinkTarget(ctx, code)).toContain('/en/projects/bus-lanes?utm_source=parley&utm_medium=email&utm_campaign=may-news')
    expect(body).toContain(`/l/${code})`)
    expect(body).toMatch(/\/en\/unfollow\?token=/)
    expect(body).toContain('/en/account/profile')
    expect(body).not.toMatch(/\{\{\w+\}\}|<script/)
    const welsh = readable(smtp.received.find(({ to }) => !to[0]?.includes(ana.email))?.data ?? '')
    expect(welsh).toContain('Lonydd bws')
    expect(welsh).toContain('lang="cy"')
    expect((await mails(id)).every(({ leaveUrl }) => leaveUrl === null)).toBe(true)
  })

  test('handed to the mail service by a process that died is not sent twice, and counts as failed', async () => {
    await Promise.all(Array.from({ length: 3 }, (_, index) => addReader(`Reader ${index}`)))
    const id = await draft()
    await send(id)
    await runCampaigns(runtime)
    const [first] = await mails(id)
    await ctx.db.tx((tx) =>
      tx
        .update(outboxMails)
        .set({ handedAt: new Date(), attempts: 1 })
        .where(eq(outboxMails.id, first?.id ?? '')),
    )
    await work()
    expect(smtp.received.flatMap(({ to }) => to)).not.toContain(`<${first?.recipient}>`)
    expect(new Set(smtp.received.flatMap(({ to }) => to)).size).toBe(2)
    expect((await mails(id)).find((mail) => mail.id === first?.id)).toMatchObject({ fault: 'message-unknown', sentAt: null })
    expect(await letter(id)).toMatchObject({ status: 'done', counts: { prepared: 3, waiting: 0, accepted: 2, failed: 1, skipped: 0 } })
    expect(await failures(id)).toMatchObject([
      { personId: first?.userId, address: first?.recipient, outcome: 'failed', fault: 'message-unknown' },
    ])
    const stranger = createApiClient(runtime, site, (await addPerson(runtime, site)).token)
    expect((await stranger.get(`/campaign-failures?filter[campaign]=${id}`)).status).toBe(404)
  })

  test('is sent by several processes at once, each email by one of them', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, index) => addReader(`Reader ${index}`)))
    const id = await draft()
    await send(id)
    await runCampaigns(runtime)
    await Promise.all([deliverMails(runtime, site.id), deliverMails(runtime, site.id), deliverMails(runtime, site.id)])
    expect(smtp.received).toHaveLength(30)
    expect(new Set(smtp.received.flatMap(({ to }) => to)).size).toBe(30)
  })

  test('skips readers who have withdrawn consent and counts deleted accounts, so that all counts add up', async () => {
    const [ana, ben, cai] = [await addReader('Ana'), await addReader('Ben'), await addReader('Cai')]
    const id = await draft()
    await send(id)
    await runCampaigns(runtime)
    const before = await mails(id)
    const token = new URL(before.find(({ userId }) => userId === ben.id)?.leaveUrl ?? '').searchParams.get('token') ?? ''
    expect(await loadLinkedMails(ctx, token)).toEqual({ kind: 'news', going: true })
    await unsubscribeByLink(ctx, token)
    await unsubscribeByLink(ctx, token)
    expect(await loadLinkedMails(ctx, token)).toEqual({ kind: 'news', going: false })
    await expect(unsubscribeByLink(ctx, alterToken(token))).rejects.toMatchObject({ code: 'link-expired' })
    await ctx.db.tx((tx) => tx.delete(users).where(eq(users.id, cai.id)))
    await work()
    expect(smtp.received.flatMap(({ to }) => to)).toEqual([`<${ana.email}>`])
    expect(await letter(id)).toMatchObject({ status: 'done', counts: { prepared: 3, waiting: 0, accepted: 1, failed: 0, skipped: 2 } })
    // Nothing is left of the deleted account but its number.
    expect(await failures(id)).toMatchObject([{ name: 'Ben', address: ben.email, outcome: 'skipped', fault: 'consent-withdrawn' }])
    const ledger = await ctx.db.tx((tx) => tx.select().from(mailConsents).where(eq(mailConsents.userId, ben.id)))
    expect(ledger).toMatchObject([{ given: false, source: 'mail', words: 'Unsubscribe', email: ben.email }])
  })

  test('waits for its time, and can be paused, resumed and cancelled', async () => {
    await Promise.all(Array.from({ length: 4 }, (_, index) => addReader(`Reader ${index}`)))
    const id = await draft()
    await send(id, { sendAt: new Date(Date.now() + 3_600_000).toISOString() })
    await work()
    expect(await letter(id)).toMatchObject({ status: 'scheduled', counts: { prepared: 0 } })
    runtime.setNow(new Date(Date.now() + 3_700_000))
    await runCampaigns(runtime)
    const pause = (paused: boolean) =>
      api.patch(`/newsletter-sendings/${id}`, buildResourceDocument('newsletter-sendings', { paused }, { id }))
    one(await pause(true))
    await work()
    expect(await letter(id)).toMatchObject({ status: 'paused', counts: { waiting: 4, accepted: 0 } })
    one(await pause(false))
    await work()
    expect(await letter(id)).toMatchObject({ status: 'done', counts: { accepted: 4 } })
    const second = await draft()
    await send(second)
    await runCampaigns(runtime)
    expect((await api.delete(`/newsletter-sendings/${second}`)).status).toBe(204)
    await work()
    runtime.setNow(undefined)
    expect(await letter(second)).toMatchObject({ status: 'cancelled', counts: { prepared: 4, accepted: 0, failed: 0, skipped: 4 } })
    expect(smtp.received).toHaveLength(4)
  })
})

describe('an address', () => {
  const marked = () => ctx.db.tx((tx) => tx.select().from(mailAddresses).where(isNotNull(mailAddresses.bouncedAt)))

  test('that refuses mail permanently gets no more newsletters, until an email reaches it', async () => {
    const { email } = await addReader('Gone')
    const [id, next] = [await draft(), await draft()]
    smtp.refuseWith = '550 5.1.1 No such user'
    await send(id)
    await work()
    expect(await letter(id)).toMatchObject({ status: 'done', counts: { prepared: 1, accepted: 0, failed: 1, skipped: 0 } })
    expect(await marked()).toMatchObject([{ address: email, reason: expect.stringContaining('5.1.1') as string }])
    expect(await estimate(next)).toMatchObject({ recipients: 0, unreachable: 1 })
    smtp.refuseWith = undefined
    await ctx.db.tx((tx) =>
      tx.insert(outboxMails).values({
        siteId: site.id,
        id: createId(),
        kind: 'confirm-email',
        recipient: email,
        language: 'en',
        subject: 'Confirm',
        bodyText: 'x',
        bodyHtml: 'x',
        createdAt: new Date(),
      }),
    )
    await deliverMails(runtime, site.id)
    expect(await estimate(next)).toMatchObject({ recipients: 1, unreachable: 0 })
  })

  test('that fails for hours, email after email, counts as dead; a single failure does not', async () => {
    const { email } = await addReader('Full')
    smtp.refuseWith = '452 4.2.2 Mailbox full'
    const given = async () => {
      const id = await draft()
      await send(id)
      await runCampaigns(runtime)
      await ctx.db.tx((tx) =>
        tx
          .update(outboxMails)
          .set({ attempts: 9 })
          .where(and(eq(outboxMails.campaignId, id))),
      )
      await work()
      return letter(id)
    }
    expect(await given()).toMatchObject({ counts: { failed: 1 } })
    expect(await marked()).toEqual([])
    await given()
    await given()
    expect(await marked()).toMatchObject([{ address: email, softFailures: 3 }])
  })

  /** A mail server's report of mail that it accepted but could not deliver. */
  const comesBack = (to: string, status = '5.1.1', authorization = `Bearer ${TOKEN}`, about = 'nobody@elsewhere.example') =>
    receiveMailReport({
      context: requestContext(createCtx(runtime, site)),
      request: new Request('http://inside.example/hooks/mail', {
        method: 'POST',
        headers: { authorization, 'content-type': 'message/rfc822' },
        body: [
          `To: ${to}`,
          'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
          '',
          '--b',
          'Content-Type: message/delivery-status',
          '',
          'Reporting-MTA: dns; mx.parley.example',
          '',
          `Final-Recipient: rfc822; ${about}`,
          'Action: failed',
          `Status: ${status}`,
          `Diagnostic-Code: smtp; 550 ${status} It did not work`,
          '',
          '--b--',
          '',
        ].join('\r\n'),
      }),
    })
  const returnPaths = () => smtp.received.map(({ from }) => /<(.+?)>/.exec(from)?.[1] ?? '')

  test('that bounces later gets only account emails, until an administrator or its owner clears it', async () => {
    const { id: reader, email } = await addReader('Moved')
    const id = await draft()
    await send(id)
    await work()
    const [back = ''] = returnPaths()
    expect(back).toMatch(/^returned\+[0-9a-f]{40}@parley\.example$/)
    expect((await comesBack(back, '5.1.1', 'Bearer a guess')).status).toBe(403)
    expect(await marked()).toEqual([])
    // Reported twice, and naming another address: only this email's address is marked, once.
    expect((await comesBack(back)).status).toBe(204)
    await comesBack(back)
    expect(await marked()).toMatchObject([{ address: email, reported: true, reason: '550 5.1.1 It did not work' }])
    expect(await letter(id)).toMatchObject({ status: 'done', counts: { prepared: 1, accepted: 1, failed: 0, returned: 1 } })
    expect(await failures(id)).toMatchObject([{ outcome: 'returned' }])
    expect(await estimate(await draft())).toMatchObject({ recipients: 0, unreachable: 1 })
    const content = { subject: 'X', paragraphs: ['X'], footer: 'X' }
    const queue = (kind: string) => ctx.db.tx((tx) => queueMail(ctx, tx, { kind, to: email, userId: reader, language: 'en', content }))
    await queue('project-update')
    await queue('reset-password')
    await work()
    const kinds = async () => (await ctx.db.tx((tx) => tx.select().from(outboxMails))).map(({ kind, fault }) => [kind, fault])
    expect(await kinds()).toEqual(
      expect.arrayContaining([
        ['project-update', 'address-bounced'],
        ['reset-password', null],
      ]),
    )
    // Acceptance of another email by the service proves nothing.
    expect(await marked()).toHaveLength(1)
    const known = ((await api.get('/mail-addresses')).body?.data as { id: string; attributes: Record<string, unknown> }[] | undefined)?.[0]
    expect(known?.attributes).toMatchObject({ address: email, reported: true, reason: expect.stringContaining('5.1.1') as string })
    const participant = createApiClient(runtime, site, (await addPerson(runtime, site)).token)
    expect((await participant.get('/mail-addresses')).status).toBe(403)
    expect((await participant.delete(`/mail-addresses/${known?.id}`)).status).toBe(403)
    expect((await api.delete(`/mail-addresses/${known?.id}`)).status).toBe(204)
    expect(await estimate(await draft())).toMatchObject({ recipients: 1, unreachable: 0 })
  })

  test('with a full mailbox is counted; failures long ago are not', async () => {
    const { email } = await addReader('Full')
    const returned = async () => {
      smtp.received.length = 0
      await send(await draft())
      await work()
      await comesBack(returnPaths()[0] ?? '', '5.2.2')
    }
    await returned()
    await ctx.db.tx((tx) => tx.update(mailAddresses).set({ updatedAt: new Date(Date.now() - 100 * 86_400_000) }))
    await returned()
    await returned()
    expect(await marked()).toEqual([])
    await returned()
    expect(await marked()).toMatchObject([{ address: email, softFailures: 3 }])
  })
})

test('every change of consent on the account page is in the ledger with the wording shown', async () => {
  const person = await addPerson(runtime, site)
  const own = await withViewer(createCtx(runtime, site, { language: 'cy' }), person.token)
  for (const marketingConsent of [true, true, false]) await updateProfile(own, { marketingConsent })
  const ledger = await ctx.db.tx((tx) =>
    tx.select().from(mailConsents).where(eq(mailConsents.userId, person.id)).orderBy(mailConsents.at, mailConsents.id),
  )
  expect(ledger.map(({ given, language, source }) => [given, language, source])).toEqual([
    [true, 'cy', 'account'],
    [false, 'cy', 'account'],
  ])
  expect(ledger[0]?.words).toMatch(/newyddion/i)
})
