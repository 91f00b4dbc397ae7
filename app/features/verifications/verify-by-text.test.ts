import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { addReaction } from '#app/features/contributions/responding/reactions.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { smsMessages } from '#app/server/db/schema/messages.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import { verificationTexts } from '#app/server/db/schema/verifications.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { removeRandomValues } from '#tests/support/random-values.ts'
import { sweepVerifications } from './verifications.server.ts'
import { sendVerificationText, verifyByText } from './verify-by-text.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')
const runtime = await createTestRuntime()
let site: Site

beforeEach(async () => {
  runtime.setNow(NOON)
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}`, region: 'Canada' })
  await db().tx((tx) => tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true }))
  await db().tx((tx) => tx.insert(installations).values({ siteId: site.id, id: createId(), integration: 'sms-sandbox', enabledAt: NOON }))
})

const db = () => runtime.database.site(site.id)
const as = (address: string | null = null): Ctx => createCtx(runtime, site, { viewer: VISITOR, address })
const send = (phone = '613-555-0123', browserToken = issueToken(runtime, site), ctx = as()) =>
  sendVerificationText(ctx, { phone, browserToken })
const readCode = async () => {
  const rows = await db().tx((tx) => tx.select().from(smsMessages).where(eq(smsMessages.siteId, site.id)))
  const newest = rows.toSorted((one, other) => other.id.localeCompare(one.id))[0]
  return /\d{6}/.exec(newest?.body ?? '')?.[0] ?? ''
}
const confirm = (textId: string, code: string, browserToken = issueToken(runtime, site), ctx = as()) =>
  verifyByText(ctx, { textId, code, browserToken })
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (isAppError(error) ? (error.faults[0]?.code ?? error.code) : error),
  )
const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

describe('a phone number', () => {
  test('is proven by the code that was texted to it, once, for a year', async () => {
    const { id } = await send()
    const code = await readCode()
    const { row, secret } = await confirm(id, `${code.slice(0, 3)} ${code.slice(3)}`)
    expect(row).toMatchObject({ method: 'text', level: 'contact', validUntil: new Date('2027-03-02T12:00:00Z'), userId: null })
    expect(secret).toHaveLength(43)
    expect(await refusalOf(confirm(id, code))).toBe('code-expired')
  })

  test('counts one person in an activity, in however many browsers', async () => {
    const activity = await addActivity(runtime, site, {
      reactAccess: 'verified',
      settings: { verification: { level: 'contact', list: null } },
    })
    const { id: contributionId } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const reactAs = async (phone: string) => {
      const { id } = await send(phone)
      const { secret } = await confirm(id, await readCode())
      return addReaction(as(), { id: createId(), contributionId, browserToken: issueToken(runtime, site), invitation: () => secret })
    }
    expect(await reactAs('613-555-0123')).toMatchObject({ created: true })
    expect(await reactAs('+1 (613) 555 0123')).toMatchObject({ created: false })
    expect(await reactAs('613-555-0124')).toMatchObject({ created: true })
    const [counted] = await db().tx((tx) =>
      tx.select({ supports: contributions.supports }).from(contributions).where(eq(contributions.id, contributionId)),
    )
    expect(counted).toEqual({ supports: 2 })
  })

  test('is kept as a keyed hash; the text that has it belongs to nobody and loses it when it is sent', async () => {
    const { id } = await send()
    await confirm(id, await readCode())
    for (const table of ['verifications', 'verification_texts', 'audit_events', 'rate_limits']) {
      const { rows } = await db().tx((tx) => tx.execute<{ text: string }>(sql`select t::text as text from ${sql.identifier(table)} t`))
      expect(removeRandomValues(rows.map(({ text }) => text).join())).not.toMatch(/5550123|555-0123/)
    }
    const [sent] = await db().tx((tx) => tx.select().from(smsMessages).where(eq(smsMessages.siteId, site.id)))
    expect(sent).toMatchObject({ purpose: 'code', userId: null, unnamed: true })
  })

  test('is not proven by a wrong or late code; five tries a text', async () => {
    const { id } = await send()
    const code = await readCode()
    for (let tried = 0; tried < 5; tried++) expect(await refusalOf(confirm(id, wrong(code)))).toBe('wrong-code')
    expect(await refusalOf(confirm(id, code))).toBe('code-expired')
    const second = await send('613-555-0124')
    const other = await readCode()
    expect(await refusalOf(confirm(second.id, ''))).toBe('required')
    expect(await refusalOf(confirm('no id', other))).toBe('code-expired')
    runtime.setNow(new Date(NOON.getTime() + 600_001))
    expect(await refusalOf(confirm(second.id, other))).toBe('code-expired')
    await sweepVerifications(runtime)
    expect(await db().tx((tx) => tx.select().from(verificationTexts).where(eq(verificationTexts.siteId, site.id)))).toEqual([])
  })

  test('gets five texts an hour, whoever asks; a browser asks for five, an address for sixty that nobody answers', async () => {
    for (let asked = 0; asked < 5; asked++) await send()
    expect(await refusalOf(send())).toBe('too-many-requests')
    const browser = issueToken(runtime, site)
    for (let asked = 0; asked < 5; asked++) await send(`613-555-013${asked}`, browser)
    expect(await refusalOf(send('613-555-0139', browser))).toBe('too-many-requests')
    const office = as('192.0.2.9')
    const { id } = await send('613-555-0139', issueToken(runtime, site), office)
    await confirm(id, await readCode(), undefined, office)
    for (let asked = 0; asked < 60; asked++) await send(`613-555-0${240 + asked}`, issueToken(runtime, site), office)
    expect(await refusalOf(send('613-555-0170', issueToken(runtime, site), office))).toBe('too-many-requests')
  })

  test('is one of the site’s country, and nothing is texted where no service is installed', async () => {
    for (const phone of ['', '  ']) expect(await refusalOf(send(phone))).toBe('required')
    for (const phone of ['12345', '+44 7700 900123', '+1 876 555 0123']) expect(await refusalOf(send(phone))).toBe('not-a-phone')
    site = await addSite(runtime, { slug: `s${createId().slice(-12)}`, region: 'Canada' })
    expect(await refusalOf(send())).toBe('sms-not-enabled')
  })

  test('through the API', async () => {
    const api = createApiClient(runtime, site)
    const sent = await api.post('/verification-texts', buildResourceDocument('verification-texts', { phone: '613-555-0123' }))
    expect(sent.status).toBe(201)
    const { id: text } = (sent.body?.data ?? {}) as { id: string }
    const code = await readCode()
    expect(removeRandomValues(JSON.stringify(sent.body))).not.toContain(code)
    const prove = (typed: string) => api.post('/verifications', buildResourceDocument('verifications', { text, code: typed }))
    const refused = await prove(wrong(code))
    expect([refused.status, refused.codes]).toEqual([422, ['wrong-code']])
    const proven = await prove(code)
    expect(proven.status).toBe(201)
    expect(proven.body?.data).toMatchObject({ attributes: { method: 'text', level: 'contact' } })
  })
})
