import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signIn as signInFrom } from '#app/features/accounts/sessions.server.ts'
import { createKnownDeviceCookie } from '#app/server/auth/known-device.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addAccount, loadMailsTo, PASSWORD } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'

let runtime: TestRuntime
let site: Site
const start = new Date()
const HOUR = 60
const DAY = 24 * HOUR
const later = (minutes: number) => runtime.setNow(new Date(start.getTime() + minutes * 60_000))

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
})
beforeEach(() => runtime.setNow(start))

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile Safari/604.1'
const signIn = (email: string, client: Parameters<typeof createCtx>[2] = {}, cookie?: string) =>
  signInFrom(createCtx(runtime, site, client), { email, password: PASSWORD }, cookie)
const isIn = async (token: string) => (await createApiClient(runtime, site, token).get('/current-user')).status === 200

describe('a session', () => {
  test.each([
    ['site_admin', 2],
    ['hub_admin', 2],
    ['project_admin', 2],
    ['platform_admin', 1],
  ] as const)('of a %s ends after %i hours without use, and 12 hours after it began', async (role, idle) => {
    const { email } = await addAccount(runtime, site, { role })
    const unused = await signIn(email)
    later(idle * HOUR - 1)
    expect(await isIn((await signIn(email)).token)).toBe(true)
    later(idle * HOUR + 1)
    expect(await isIn(unused.token)).toBe(false)
    runtime.setNow(start)
    const used = await signIn(email)
    for (let minutes = 50; minutes < 12 * HOUR; minutes += 50) {
      later(minutes)
      expect(await isIn(used.token), `after ${minutes} minutes`).toBe(true)
    }
    later(12 * HOUR + 1)
    expect(await isIn(used.token)).toBe(false)
  })

  test('of a participant ends after 30 days without use, and 180 days after it began', async () => {
    const { email } = await addAccount(runtime, site)
    const unused = await signIn(email)
    later(30 * DAY + 1)
    expect(await isIn(unused.token)).toBe(false)
    runtime.setNow(start)
    const used = await signIn(email)
    for (let days = 29; days < 180; days += 29) {
      later(days * DAY)
      expect(await isIn(used.token), `after ${days} days`).toBe(true)
    }
    later(180 * DAY + 1)
    expect(await isIn(used.token)).toBe(false)
  })

  test('of somebody who gets a role ends within 12 hours', async () => {
    const person = await addAccount(runtime, site)
    const admin = await addAccount(runtime, site, { role: 'site_admin' })
    const { token } = await signIn(person.email)
    const to = { user: { type: 'users', id: person.id }, hub: { type: 'hubs', id: (await addHub(runtime, site)).id } }
    const given = await createApiClient(runtime, site, admin.token).post(
      '/memberships',
      buildResourceDocument('memberships', { role: 'hub_admin' }, { to }),
    )
    expect(given.status).toBe(201)
    expect(await isIn(token)).toBe(true)
    later(13 * HOUR)
    expect(await isIn(token)).toBe(false)
  })
})

describe('a device that was not seen before', () => {
  const phone = { userAgent: IPHONE, address: '192.0.2.7' }
  const office = { userAgent: CHROME, address: '198.51.100.20' }
  const kinds = async (email: string) => (await loadMailsTo(runtime, site.id, email)).map(({ kind }) => kind)

  test('is told to the holder, with what it is and where to sign it out; the first of an account is not', async () => {
    const { email } = await addAccount(runtime, site)
    await signIn(email, office)
    expect(await kinds(email)).toEqual([])
    await signIn(email, phone)
    const [mail] = await loadMailsTo(runtime, site.id, email)
    expect(mail).toMatchObject({ kind: 'new-device' })
    expect(mail?.bodyText).toContain('Safari on iPhone')
    expect(mail?.bodyText).toContain('/en/account/devices')
  })

  test('is not one that brings its cookie, or the same program at the same address', async () => {
    const { id, email } = await addAccount(runtime, site)
    await signIn(email, office)
    await signIn(email, office)
    const set = createKnownDeviceCookie(createCtx(runtime, site), undefined, { siteId: site.id, id })
    await signIn(email, phone, /^known_device=([^;]+);/.exec(set)?.[1])
    expect(await kinds(email)).toEqual([])
  })

  test('is one that comes with the cookie of another account, or from another address', async () => {
    const { email } = await addAccount(runtime, site)
    const other = await addAccount(runtime, site)
    await signIn(email, office)
    const set = createKnownDeviceCookie(createCtx(runtime, site), undefined, { siteId: site.id, id: other.id })
    await signIn(email, phone, /^known_device=([^;]+);/.exec(set)?.[1])
    await signIn(email, { ...office, address: '203.0.113.1' })
    expect(await kinds(email)).toEqual(['new-device', 'new-device'])
  })

  test('is not told if the password was wrong', async () => {
    const { email } = await addAccount(runtime, site)
    await signIn(email, office)
    await expect(signInFrom(createCtx(runtime, site, phone), { email, password: 'wrong-password' })).rejects.toMatchObject({
      code: 'wrong-credentials',
    })
    expect(await kinds(email)).toEqual([])
  })
})
