import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { argon2 } from 'node:crypto'
import { createId } from '#app/lib/uuid.ts'
import { signIn as signInFrom } from '#app/features/accounts/sessions.server.ts'
import { blockPerson } from '#app/features/people/people.server.ts'
import { createKnownDeviceCookie } from '#app/server/auth/known-device.ts'
import { hashToken } from '#app/server/auth/tokens.ts'
import { createCtx } from '#app/server/context.ts'
import { memberships, sessions, users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type Account, addAccount, requireItem, requireItems, requireMailedToken, PASSWORD, readToken } from '#tests/support/accounts.ts'
import { createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { alterToken } from '#tests/support/alter-token.ts'

// Counts real password hashes, which are what costs time.
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>()
  // What is asked for is looked at below; it is done with the least memory, since hundreds of passwords are tried.
  const least = (...[algorithm, parameters, done]: Parameters<typeof real.argon2>) =>
    real.argon2(algorithm, { ...parameters, memory: 8 * parameters.parallelism }, done)
  return { ...real, argon2: vi.fn<typeof real.argon2>(least) }
})

let runtime: TestRuntime
let site: Site
let other: Site
const start = new Date()
const later = (minutes: number) => runtime.setNow(new Date(start.getTime() + minutes * 60_000))
const pass = (seconds: number) => runtime.setNow(new Date(runtime.now().getTime() + seconds * 1000))

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  other = await addSite(runtime, { slug: 'dyffryn' })
})
beforeEach(() => {
  runtime.setNow(start)
  vi.mocked(argon2).mockClear()
})

const signIn = (email: string, password: string, at = site, client?: Parameters<typeof createApiClient>[3]) =>
  createApiClient(runtime, at, undefined, client).post('/sessions', buildResourceDocument('sessions', { email, password }))

const me = async (token: string, at = site) =>
  (await createApiClient(runtime, at, token).get('/current-user')).body?.data as { attributes: { user: Record<string, unknown> } } | null

describe('signing in', () => {
  test('with the right password returns a token once, which identifies the person', async () => {
    const ann = await addAccount(runtime, site, { email: 'ann@riverbend.example' })
    const answer = await signIn('  ANN@riverbend.example ', PASSWORD)
    expect(answer.status).toBe(201)
    const token = readToken(answer)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect((await me(token))?.attributes.user).toEqual({
      id: ann.id,
      email: 'ann@riverbend.example',
      login: 'Ann Tremblay',
      roleName: 'participant',
      type: 'participant',
      lastSeenAt: start.toISOString(),
    })
    const listed = await createApiClient(runtime, site, token).get('/sessions')
    expect(JSON.stringify(listed.body)).not.toContain(token)
  })

  test('stores neither token nor password in plain text', async () => {
    const ann = await addAccount(runtime, site)
    const token = readToken(await signIn(ann.email, PASSWORD))
    const { rows } = await runtime.database.site(site.id).tx((tx) =>
      tx.execute<{ all: string }>(sql`
      select (select string_agg(s::text, '') from sessions s) || (select string_agg(u::text, '') from users u) || (select string_agg(a::text, '') from audit_events a) as all`),
    )
    expect(rows[0]?.all).toContain('$argon2id$')
    for (const secret of [token, PASSWORD, Buffer.from(token).toString('hex')]) expect(rows[0]?.all).not.toContain(secret)
    expect(runtime.logged.join('\n')).not.toContain(token)
  })

  test('gives the same response for a wrong password and an unknown address, with the same work', async () => {
    const ann = await addAccount(runtime, site)
    vi.mocked(argon2).mockClear()
    const wrong = await signIn(ann.email, 'not-the-password')
    const afterWrong = vi.mocked(argon2).mock.calls.length
    const unknown = await signIn(`${createId()}@riverbend.example`, 'not-the-password')
    const afterUnknown = vi.mocked(argon2).mock.calls.length
    expect([afterWrong, afterUnknown]).toEqual([1, 2])
    const [one, two] = vi.mocked(argon2).mock.calls.map(([, options]) => options)
    expect(one).toMatchObject({ memory: two?.memory, passes: two?.passes, parallelism: two?.parallelism, tagLength: two?.tagLength })
    expect(wrong.status).toBe(401)
    expect(wrong.codes).toEqual(['wrong-credentials'])
    expect(unknown.body).toEqual(wrong.body)
    expect(unknown.status).toBe(401)
  })

  test('reveals that an account is blocked only to those who know its password', async () => {
    const ann = await addAccount(runtime, site)
    const admin = await addAccount(runtime, site, { role: 'site_admin' })
    await blockPerson(await admin.ctx(), ann.id, { reason: 'Spam' })
    expect((await signIn(ann.email, 'not-the-password')).codes).toEqual(['wrong-credentials'])
    const right = await signIn(ann.email, PASSWORD)
    expect([right.status, right.codes]).toEqual([403, ['blocked']])
  })

  test('is no way around a block: a session that begins at the same moment is worth nothing', async () => {
    const ann = await addAccount(runtime, site)
    expect(await me(ann.token)).not.toBeNull()
    // As if the session had begun just after the block ended all others.
    await runtime.database.site(site.id).tx((tx) => tx.update(users).set({ blockedAt: start }).where(eq(users.id, ann.id)))
    expect((await createApiClient(runtime, site, ann.token).get('/current-user')).status).toBe(401)
  })

  test('is audited, as are refusals, without the typed address', async () => {
    const ann = await addAccount(runtime, site)
    await signIn(ann.email, PASSWORD)
    await signIn(ann.email, 'not-the-password')
    const rows = await runtime.database.site(site.id).tx((tx) => tx.select().from(auditEvents).orderBy(auditEvents.sequence))
    const own = rows.filter((row) => row.actorId === ann.id || row.subjectId === ann.id)
    expect(own.map((row) => [row.action, row.address])).toEqual([
      ['sessions.create', '127.0.0.1'],
      ['sessions.refuse', '127.0.0.1'],
    ])
    expect(JSON.stringify(rows)).not.toContain(ann.email)
  })

  test('lets platform administrators in on any site', async () => {
    const admin = await addAccount(runtime, site, { role: 'platform_admin', email: 'platform@parley.example' })
    for (const at of [site, other]) {
      const token = readToken(await signIn('platform@parley.example', PASSWORD, at))
      expect((await me(token, at))?.attributes.user).toMatchObject({ id: admin.id, roleName: 'platform_admin', type: 'administrator' })
    }
  })
})

describe('a session', () => {
  let ann: Account
  beforeEach(async () => {
    ann = await addAccount(runtime, site)
  })

  test('is not valid on another site, where the same address is another account', async () => {
    const twin = await addAccount(runtime, other, { email: ann.email })
    const token = readToken(await signIn(ann.email, PASSWORD))
    expect((await createApiClient(runtime, other, token).get('/current-user')).codes).toEqual(['unauthenticated'])
    expect((await me(readToken(await signIn(ann.email, PASSWORD, other)), other))?.attributes.user['id']).toBe(twin.id)
    expect((await createApiClient(runtime, other, twin.token).get(`/users/${ann.id}`)).status).toBe(404)
  })

  test('ends at sign-out', async () => {
    const answer = await signIn(ann.email, PASSWORD)
    const token = readToken(answer)
    const { id } = requireItem(answer)
    expect((await createApiClient(runtime, site, token).delete(`/sessions/${id}`)).status).toBe(204)
    expect((await createApiClient(runtime, site, token).get('/current-user')).status).toBe(401)
  })

  test('is listed with its device and can be ended from another, but only by its owner', async () => {
    const phone = { headers: { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile Safari/604.1' } }
    const bo = await addAccount(runtime, site)
    const before = readToken(await signIn(bo.email, PASSWORD))
    later(1)
    const token = readToken(await signIn(bo.email, PASSWORD, site, phone))
    await runtime.database.site(site.id).tx((tx) => tx.delete(sessions).where(eq(sessions.tokenHash, hashToken(bo.token))))
    const list = requireItems(await createApiClient(runtime, site, before).get('/sessions'))
    expect(list.map(({ attributes }) => [attributes['browser'], attributes['system'], attributes['current']])).toEqual([
      ['Safari', 'iPhone', false],
      [null, null, true],
    ])
    const bob = await addAccount(runtime, site)
    expect((await createApiClient(runtime, site, bob.token).delete(`/sessions/${list[0]?.id}`)).status).toBe(404)
    expect((await me(token))?.attributes.user['id']).toBe(bo.id)
    expect((await createApiClient(runtime, site, before).delete(`/sessions/${list[0]?.id}`)).status).toBe(204)
    expect((await createApiClient(runtime, site, token).get('/current-user')).status).toBe(401)
  })

  test('expires thirty days after its last use', async () => {
    const token = readToken(await signIn(ann.email, PASSWORD))
    const day = 24 * 60
    for (const days of [20, 45, 74]) {
      later(days * day)
      expect((await me(token))?.attributes.user['id']).toBe(ann.id)
    }
    later(74 * day + 30 * day + 1)
    expect((await createApiClient(runtime, site, token).get('/current-user')).status).toBe(401)
  })

  test('ends when the account is blocked, and role changes apply to the next request', async () => {
    const admin = await addAccount(runtime, site, { role: 'site_admin' })
    await runtime.database
      .site(site.id)
      .tx((tx) => tx.insert(memberships).values({ siteId: site.id, id: createId(), userId: ann.id, role: 'site_admin' }))
    expect((await me(ann.token))?.attributes.user['roleName']).toBe('site_admin')
    await runtime.database.site(site.id).tx((tx) => tx.delete(memberships).where(eq(memberships.userId, ann.id)))
    expect((await me(ann.token))?.attributes.user['roleName']).toBe('participant')
    await blockPerson(await admin.ctx(), ann.id, { reason: 'Spam' })
    expect((await createApiClient(runtime, site, ann.token).get('/current-user')).status).toBe(401)
    expect(await runtime.database.site(site.id).tx((tx) => tx.select().from(sessions).where(eq(sessions.userId, ann.id)))).toEqual([])
  })

  test('is required to list sessions', async () => {
    expect((await createApiClient(runtime, site).get('/sessions')).codes).toEqual(['unauthenticated'])
    expect((await createApiClient(runtime, site).get('/current-user')).body).toMatchObject({ data: null })
  })
})

describe('guessing', () => {
  test('from many networks is slowed down after twenty wrong passwords per account, existing or not, whatever the headers and fields', async () => {
    const ann = await addAccount(runtime, site)
    for (const email of [ann.email, `${createId()}@riverbend.example`]) {
      for (let i = 0; i < 21; i++) {
        const client = { address: `192.0.2.${i}`, headers: { 'x-forwarded-for': `198.51.100.${i}`, 'user-agent': `${i}` } }
        expect((await signIn(` ${email.toUpperCase()}`, `wrong-${i}`, site, client)).status).toBe(401)
      }
      const answer = await signIn(email, PASSWORD, site, {
        address: '203.0.113.9',
        headers: { 'x-parley-address': '1.1.1.1', forwarded: 'for=1.1.1.1' },
      })
      expect([answer.status, answer.codes]).toEqual([429, ['too-many-requests']])
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    pass(1)
    expect((await signIn(ann.email, PASSWORD)).status).toBe(201)
  })

  test('from one network is slowed down after five wrong passwords for one account', async () => {
    const ann = await addAccount(runtime, site)
    for (let i = 0; i < 6; i++) expect((await signIn(ann.email, 'wrong')).status).toBe(401)
    for (const wait of [1, 2, 4, 8]) {
      const early = await signIn(ann.email, PASSWORD)
      expect([early.status, early.headers.get('retry-after')]).toEqual([429, `${wait}`])
      pass(wait)
      expect((await signIn(ann.email, 'wrong')).status).toBe(401)
    }
  })

  test('is slowed down after two hundred wrong passwords from a network, across accounts', async () => {
    const from = { address: '2001:db8::1' }
    const guesses = await Promise.all(Array.from({ length: 201 }, () => signIn(`${createId()}@riverbend.example`, 'x', site, from)))
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]))
    const ann = await addAccount(runtime, site)
    expect((await signIn(ann.email, PASSWORD, site, { address: '2001:db8::2' })).status).toBe(429)
    expect((await signIn(ann.email, PASSWORD, site, { address: '2001:db8:1::1' })).status).toBe(201)
  })

  test('does not count successful sign-ins', async () => {
    const ann = await addAccount(runtime, site)
    for (let i = 0; i < 12; i++) expect((await signIn(ann.email, PASSWORD)).status).toBe(201)
  })

  describe('does not lock out', () => {
    /** Guesses from more networks than one, until everybody has to wait but devices that are known. */
    const siege = async (email: string) => {
      for (let i = 0; i < 21; i++) await signIn(email, `wrong-${i}`, site, { address: `192.0.2.${i}` })
    }
    const there = () => createCtx(runtime, site, { address: '203.0.113.9' })
    const deviceOf = (account: { id: string }, before?: string) =>
      /^known_device=([^;]+);/.exec(createKnownDeviceCookie(there(), before, { siteId: site.id, id: account.id }))?.[1] ?? ''
    const via = (cookie: string, email: string, password = PASSWORD) =>
      signInFrom(there(), { email, password }, cookie).then(
        () => 'in',
        (error: { code: string }) => error.code,
      )

    test('the holder on an unknown device after a stranger’s ten wrong passwords: elsewhere at once, in the same network after a short wait', async () => {
      const ann = await addAccount(runtime, site)
      for (let i = 0; i < 10;) {
        const { status, headers } = await signIn(ann.email, `wrong-${i}`, site, { address: '192.0.2.77' })
        if (status === 429) pass(Number(headers.get('retry-after')))
        else i += 1
      }
      expect(await via('', ann.email)).toBe('in')
      const refused = await signIn(ann.email, PASSWORD, site, { address: '192.0.2.77' })
      const wait = Number(refused.headers.get('retry-after'))
      expect([refused.status, wait <= 30]).toEqual([429, true])
      pass(wait)
      expect((await signIn(ann.email, PASSWORD, site, { address: '192.0.2.77' })).status).toBe(201)
    })

    test('a device that has signed in before', async () => {
      const [ann, bob] = [await addAccount(runtime, site), await addAccount(runtime, site)]
      const device = deviceOf(ann)
      await siege(ann.email)
      expect(await via('', ann.email)).toBe('too-many-requests')
      expect(await via(device, ann.email)).toBe('in')
      // Neither another account's device nor a forged one helps.
      for (const cookie of [deviceOf(bob), alterToken(device), device.slice(1), `${device}x`, 'x'.repeat(4000), '..'])
        expect(await via(cookie, ann.email), cookie).toBe('too-many-requests')
    })

    test('that device even if the guesses come from its own network', async () => {
      const ann = await addAccount(runtime, site)
      for (let i = 0; i < 201; i++) await signIn(`${createId()}@riverbend.example`, 'x', site, { address: '203.0.113.9' })
      expect(await via('', ann.email)).toBe('too-many-requests')
      expect(await via(deviceOf(ann), ann.email)).toBe('in')
    })

    test('that device until its own wrong passwords make it wait', async () => {
      const ann = await addAccount(runtime, site)
      const device = deviceOf(ann)
      for (let i = 0; i < 6; i++) expect(await via(device, ann.email, `wrong-${i}`)).toBe('wrong-credentials')
      expect(await via(device, ann.email)).toBe('too-many-requests')
      pass(1)
      expect(await via(device, ann.email)).toBe('in')
    })

    test('that device for half a year, and up to three accounts on a shared device', async () => {
      const family = []
      for (let i = 0; i < 4; i++) family.push(await addAccount(runtime, site))
      const device = family.reduce((cookie, account) => deviceOf(account, cookie), '')
      const [first, ...others] = family
      for (const each of [first, others[0]]) await siege(each?.email ?? '')
      expect(await via(device, first?.email ?? '')).toBe('too-many-requests')
      for (const { email } of others) expect(await via(device, email)).toBe('in')
      later(181 * 24 * 60)
      await siege(others[0]?.email ?? '')
      expect(await via(device, others[0]?.email ?? '')).toBe('too-many-requests')
    })

    test('a person with an emailed link, after which the new password works', async () => {
      const ann = await addAccount(runtime, site)
      await siege(ann.email)
      expect((await signIn(ann.email, PASSWORD)).status).toBe(429)
      await createApiClient(runtime, site).post('/password-resets', buildResourceDocument('password-resets', { email: ann.email }))
      const token = await requireMailedToken(runtime, site.id, ann.email, 'reset-password')
      const password = 'a-brand-new-password'
      expect(
        (await createApiClient(runtime, site).post('/password-changes', buildResourceDocument('password-changes', { token, password })))
          .status,
      ).toBe(201)
      expect((await signIn(ann.email, password)).status).toBe(201)
    })

    test('by a cookie that reveals nothing, is not readable by scripts and is not sent to other sites', () => {
      const account = { siteId: site.id, id: createId() }
      const secure = createCtx(runtime, { ...site, host: 'consult.example', primaryHost: 'consult.example' })
      const [one, two] = [createKnownDeviceCookie(secure, undefined, account), createKnownDeviceCookie(secure, undefined, account)]
      expect(one).toMatch(/^__Host-known_device=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
      expect(one).not.toBe(two)
    })
  })

  test('counts attempts on a platform administrator once for all sites', async () => {
    const admin = await addAccount(runtime, site, { role: 'platform_admin' })
    for (let i = 0; i < 10; i++) await signIn(admin.email, 'wrong', i % 2 ? site : other)
    expect((await signIn(admin.email, PASSWORD, other)).status).toBe(429)
  })
})

test('SQL and HTML in any field are treated as a wrong address and a wrong password', async () => {
  const before = await runtime.database.site(PLATFORM_SITE_ID).tx((tx) => tx.select().from(users))
  for (const text of ["' or 1=1; drop table users; --", '<script>alert(1)</script>', '%00', '{"$ne":null}']) {
    const answer = await signIn(text, text, site, { headers: { 'user-agent': "<b>'; drop table sessions; --" } })
    expect([answer.status, answer.codes]).toEqual([401, ['wrong-credentials']])
  }
  expect(await runtime.database.site(PLATFORM_SITE_ID).tx((tx) => tx.select().from(users))).toEqual(before)
  for (const text of ['a\u0000b', '\uD800']) expect((await signIn(text, text)).status).toBe(400)
  for (const attributes of [
    {},
    { email: 1, password: [] },
    { email: 'a@b.example', password: 'x'.repeat(2000) },
    { email: 'a@b.example', password: 'x', token: 'y' },
  ]) {
    const answer = await createApiClient(runtime, site).post('/sessions', buildResourceDocument('sessions', attributes))
    expect(answer.status).toBe(422)
    expect(answer.body?.errors?.every((error) => error.source?.pointer?.startsWith('/data/attributes/'))).toBe(true)
  }
})
