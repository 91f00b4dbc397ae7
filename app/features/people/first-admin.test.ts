import { and, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { createCtx, type Ctx, withViewer } from '#app/server/context.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import type { FirstSite } from '#app/features/accounts/accounts.schema.ts'
import { createFirstAdmin, createFirstAdminLink, loadFirstAdminSetup } from './first-admin.server.ts'
import { handOverInvitation, listSiteAdministrators } from '#app/features/sites/site-administrators.server.ts'
import { findUserByEmail } from '#app/features/accounts/account-realm.server.ts'
import { createInvitationToken } from '#app/features/accounts/one-time-links.server.ts'
import { loadPasswordReset, resetPassword } from '#app/features/accounts/passwords.server.ts'
import { signIn } from '#app/features/accounts/sessions.server.ts'

let runtime: TestRuntime
let ctx: Ctx
const password = 'quillwort-and-bramble'
const ann = { login: 'Ann Tremblay', email: 'ann@city.example', password }
const city: FirstSite = {
  siteName: 'Rivertown',
  region: 'Canada',
  locale: 'fr-CA',
  languages: ['en'],
  timeZone: 'America/Toronto',
  adminEmail: 'bea@city.example',
}
const expired = expect.objectContaining({ code: 'link-expired' }) as Error
const tokenIn = (path: string) => new URL(path, 'http://x').searchParams.get('token') ?? ''

beforeEach(async () => {
  runtime = await createTestRuntime()
  const platform = await runtime.sites.loadPlatformAt('consult.city.example:8080')
  if (!platform) throw new Error('There is no platform')
  ctx = createCtx(runtime, platform)
})

test('on an empty platform, the link creates and signs in the administrator, and creates the first site at the current host', async () => {
  const token = tokenIn(await createFirstAdminLink(runtime.database, runtime.now()))
  expect(await loadFirstAdminSetup(ctx, token)).toMatchObject({ host: 'consult.city.example' })
  const session = await createFirstAdmin(ctx, { token, ...ann, site: city })
  const site = await runtime.sites.find('consult.city.example')
  if (!site) throw new Error('The site was not made')
  expect(site).toMatchObject({
    name: 'Rivertown',
    locale: 'fr-CA',
    languages: ['en', 'fr-CA'],
    timeZone: 'America/Toronto',
    region: 'Canada',
  })
  expect((await withViewer(createCtx(runtime, site), session.token)).viewer).toMatchObject({
    roleName: 'platform_admin',
    login: 'Ann Tremblay',
    confirmed: true,
  })
  expect(await signIn(createCtx(runtime, site), ann)).toMatchObject({ siteId: PLATFORM_SITE_ID })
  const trail = await runtime.database
    .site(PLATFORM_SITE_ID)
    .tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'memberships.create')))
  expect(trail).toHaveLength(1)
})

test('the first site gets its administrator, whose invitation is handed over as a link while there is no mail service', async () => {
  const token = tokenIn(await createFirstAdminLink(runtime.database, runtime.now()))
  const session = await createFirstAdmin(ctx, { token, ...ann, site: city })
  const site = await runtime.sites.find('consult.city.example')
  if (!site) throw new Error('The site was not made')
  const by = await withViewer(createCtx(runtime, site), session.token)
  const invited = await listSiteAdministrators(by, { siteId: session.newSiteId ?? '', offset: 0, limit: 10 })
  expect(invited).toMatchObject({ rows: [{ email: 'bea@city.example', state: 'invited' }], meta: { sendsMail: false } })
  const link = new URL((await handOverInvitation(by, invited.rows[0]?.id ?? '')) ?? '')
  expect(link.host).toBe('consult.city.example')
  const linkToken = link.searchParams.get('token') ?? ''
  const ofSite = createCtx(runtime, site)
  expect(await loadPasswordReset(ofSite, linkToken)).toEqual({ email: 'bea@city.example', invited: true })
  const account = await resetPassword(ofSite, { token: linkToken, password: 'another-bramble-hedge', login: 'Bea Roy' })
  expect(account.isAdministrator).toBe(true)
  const bea = await signIn(ofSite, { email: 'bea@city.example', password: 'another-bramble-hedge' })
  expect((await withViewer(ofSite, bea.token)).viewer).toMatchObject({ roleName: 'site_admin', login: 'Bea Roy' })

  // Later, the same form sets a new password only.
  const found = await findUserByEmail(ofSite, 'bea@city.example')
  if (!found) throw new Error('The account is gone')
  const later = await ofSite.db.tx((tx) => createInvitationToken(ofSite, tx, found))
  expect(await loadPasswordReset(ofSite, later)).toEqual({ email: 'bea@city.example', invited: false })
  await resetPassword(ofSite, { token: later, password: 'a-third-bramble-hedge', login: 'Eve' })
  const again = await signIn(ofSite, { email: 'bea@city.example', password: 'a-third-bramble-hedge' })
  expect((await withViewer(ofSite, again.token)).viewer).toMatchObject({ login: 'Bea Roy' })
})

test('the account that runs the platform cannot also administer the first site', async () => {
  const token = tokenIn(await createFirstAdminLink(runtime.database, runtime.now()))
  await expect(createFirstAdmin(ctx, { token, ...ann, site: { ...city, adminEmail: ann.email } })).rejects.toMatchObject({
    faults: [{ code: 'platform-address', pointer: '/adminEmail' }],
  })
  expect(await loadFirstAdminSetup(ctx, token)).toMatchObject({ host: 'consult.city.example' })
})

test('a link works once, for one day, and only if it is the newest', async () => {
  const first = tokenIn(await createFirstAdminLink(runtime.database, runtime.now()))
  const second = tokenIn(await createFirstAdminLink(runtime.database, runtime.now()))
  await expect(loadFirstAdminSetup(ctx, first)).rejects.toEqual(expired)
  await createFirstAdmin(ctx, { token: second, ...ann })
  await expect(createFirstAdmin(ctx, { token: second, ...ann, email: 'eve@city.example' })).rejects.toEqual(expired)
  const third = tokenIn(await createFirstAdminLink(runtime.database, runtime.now()))
  runtime.setNow(new Date(Date.now() + 25 * 3_600_000))
  await expect(loadFirstAdminSetup(ctx, third)).rejects.toEqual(expired)
  await expect(loadFirstAdminSetup(ctx, 'guessed')).rejects.toEqual(expired)
})

test('opening the link twice at once creates a single administrator', async () => {
  const token = tokenIn(await createFirstAdminLink(runtime.database, runtime.now()))
  const both = await Promise.allSettled([
    createFirstAdmin(ctx, { token, ...ann }),
    createFirstAdmin(ctx, { token, ...ann, email: 'eve@city.example' }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const held = await runtime.database.site(PLATFORM_SITE_ID).tx((tx) => tx.select().from(memberships))
  expect(held).toHaveLength(1)
})

test('a weak password creates nothing and leaves the link valid', async () => {
  const token = tokenIn(await createFirstAdminLink(runtime.database, runtime.now()))
  await expect(createFirstAdmin(ctx, { token, ...ann, password: 'password1', site: city })).rejects.toMatchObject({
    faults: [{ code: 'common-password', pointer: '/password' }],
  })
  expect(
    await runtime.database.site(PLATFORM_SITE_ID).tx((tx) =>
      tx
        .select()
        .from(users)
        .where(and(eq(users.email, ann.email))),
    ),
  ).toEqual([])
  expect(await loadFirstAdminSetup(ctx, token)).toMatchObject({ host: 'consult.city.example' })
})

test('asks for no site if there already is one', async () => {
  const site = await addSite(runtime)
  const token = tokenIn(await createFirstAdminLink(runtime.database, runtime.now()))
  expect(await loadFirstAdminSetup(createCtx(runtime, site), token)).toEqual({ host: null, timeZones: [] })
})
