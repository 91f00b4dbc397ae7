import { desc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { hashPassword } from '#app/server/auth/passwords.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx, withLanguage } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { smsConsents, smsMessages, userPhones } from '#app/server/db/schema/messages.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { createId } from '#app/lib/uuid.ts'
import { serveConsents } from './consents.server.ts'
import { confirmPhone, readPhone, removePhone, requestPhoneCode, setSmsConsent } from './phone-numbers.server.ts'
import { requestContext } from '#tests/support/request-context.ts'

const PASSWORD = 'four words in a row'
const runtime = await createTestRuntime()
let site: Site
let passwordHash: string
let ctx: Ctx

const personCtx = async (role?: 'site_admin') => {
  const { id, token } = await addPerson(runtime, site, role ? { role } : {})
  await runtime.database.site(site.id).tx((tx) => tx.update(users).set({ passwordHash }).where(eq(users.id, id)))
  return createCtx(runtime, site, {
    reason: 'The data officer asks',
    viewer: await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, token, new Date()),
    address: '203.0.113.9',
  })
}

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
})

beforeEach(async () => {
  runtime.setNow(undefined)
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true })
    await tx.insert(installations).values({ siteId: site.id, id: createId(), integration: 'sms-sandbox', enabledAt: new Date() })
  })
  ctx = await personCtx()
})

const request = (phone = '613-555-0123', by = ctx) => requestPhoneCode(by, { phone, password: PASSWORD })
const sentCode = async () => {
  const [row] = await ctx.db.tx((tx) => tx.select().from(smsMessages).orderBy(desc(smsMessages.createdAt), desc(smsMessages.id)).limit(1))
  return /\d{6}/.exec(row?.body ?? '')?.[0] ?? ''
}
const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

test('a number belongs to the account only after its code is entered', async () => {
  await request()
  expect(await readPhone(ctx)).toEqual({ phone: null, waiting: '+1 613 555 0123', consent: false })
  const code = await sentCode()
  await confirmPhone(ctx, { code: `${code.slice(0, 3)} ${code.slice(3)}` })
  expect(await readPhone(ctx)).toEqual({ phone: '+1 613 555 0123', waiting: null, consent: false })
  await expect(confirmPhone(ctx, { code })).rejects.toMatchObject({ code: 'code-expired' })
})

test('a code is valid for ten minutes and five attempts, and a new one replaces it', async () => {
  await request()
  const first = await sentCode()
  for (let tries = 0; tries < 5; tries++) {
    await expect(confirmPhone(ctx, { code: wrong(first) })).rejects.toMatchObject({ code: 'wrong-code' })
  }
  await expect(confirmPhone(ctx, { code: first })).rejects.toMatchObject({ code: 'code-expired' })
  await request()
  const second = await sentCode()
  runtime.setNow(new Date(Date.now() + 11 * 60_000))
  await expect(confirmPhone(ctx, { code: second })).rejects.toMatchObject({ code: 'code-expired' })
})

test('a code in Welsh fits one text: its quotes are plain', async () => {
  await request('613-555-0123', withLanguage(ctx, 'cy'))
  const [sent] = await ctx.db.tx((tx) => tx.select().from(smsMessages))
  expect(sent).toMatchObject({ language: 'cy', segments: 1, body: expect.stringContaining("Mae'n gweithio am 10 munud") as string })
})

test('codes need the password and a valid number, and are rate limited', async () => {
  await expect(requestPhoneCode(ctx, { phone: '613-555-0123', password: 'wrong' })).rejects.toMatchObject({ code: 'wrong-password' })
  await expect(request('12345')).rejects.toMatchObject({ code: 'not-a-phone' })
  for (let sent = 0; sent < 5; sent++) await request()
  await expect(request()).rejects.toMatchObject({ code: 'too-many-requests' })
})

test('one number gets at most five codes an hour, whoever asks for them', async () => {
  for (let sent = 0; sent < 5; sent++) await request('613-555-0123', await personCtx())
  await expect(request('613-555-0123', await personCtx())).rejects.toMatchObject({ code: 'too-many-requests' })
  await request('613-555-0177', await personCtx())
})

test("a number confirmed by somebody else leaves the first account, and the first owner's consent does not carry over", async () => {
  await request()
  await confirmPhone(ctx, { code: await sentCode() })
  await setSmsConsent(ctx, true)
  // Confirming it again keeps the same person's consent.
  await request()
  await confirmPhone(ctx, { code: await sentCode() })
  expect((await readPhone(ctx))?.consent).toBe(true)
  const other = await personCtx()
  await request('+1 613 555 0123', other)
  await confirmPhone(other, { code: await sentCode() })
  expect((await readPhone(ctx))?.phone).toBe(null)
  expect(await readPhone(other)).toMatchObject({ phone: '+1 613 555 0123', consent: false })
  expect(await ctx.db.tx((tx) => tx.select().from(userPhones))).toHaveLength(1)
})

test('the ledger keeps each yes and no with its wording, time and source; repeating one adds nothing', async () => {
  await expect(setSmsConsent(ctx, true)).rejects.toMatchObject({ code: 'conflict' })
  await request()
  await confirmPhone(ctx, { code: await sentCode() })
  await setSmsConsent(ctx, true)
  await setSmsConsent(ctx, true)
  expect((await readPhone(ctx))?.consent).toBe(true)
  await removePhone(ctx)
  const lines = await ctx.db.tx((tx) => tx.select().from(smsConsents).orderBy(smsConsents.id))
  expect(lines.map(({ given }) => given)).toEqual([true, false])
  expect(lines[0]).toMatchObject({ phone: '+16135550123', source: 'account', address: '203.0.113.9', language: 'en' })
  expect(lines[0]?.words).toContain('can send me news')
  const admin = await personCtx('site_admin')
  const file = await serveConsents({ context: requestContext(admin) })
  const text = await file.text()
  expect(text.trim().split('\r\n')).toHaveLength(3)
  expect(text).toContain('can send me news about its consultations by text message')
  expect((await serveConsents({ context: requestContext(ctx) })).status).toBe(403)
})

test('with the feature off no number can be entered', async () => {
  await ctx.db.tx((tx) => tx.update(siteFeatures).set({ enabled: false }))
  expect(await readPhone(ctx)).toBe(null)
  await expect(request()).rejects.toMatchObject({ code: 'sms-not-enabled' })
})
