import { argon2 } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { registerParticipant as registerAccount } from '#app/features/accounts/registration.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, withTx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { limitMails } from '#app/server/limits/mails.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAccount, requireMailedToken, loadMailsTo, PASSWORD, readToken } from '#tests/support/accounts.ts'
import { createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'

// Counts real password hashes, which are what costs time.
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>()
  return { ...real, argon2: vi.fn<typeof real.argon2>(real.argon2) }
})

let runtime: TestRuntime
let site: Site
const start = new Date()
const later = (hours: number) => runtime.setNow(new Date(start.getTime() + hours * 3_600_000))
let address = 0

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
})
beforeEach(() => runtime.setNow(start))

const someone = () => `${createId()}@riverbend.example`
const api = (token?: string, at = site) => createApiClient(runtime, at, token, { address: `10.0.${++address >> 8}.${address & 255}` })
const register = (attributes: Record<string, unknown>, at = site) =>
  api(undefined, at).post('/users', buildResourceDocument('users', { login: 'Ann Tremblay', password: PASSWORD, ...attributes }))
const signIn = (email: string, password = PASSWORD) => api().post('/sessions', buildResourceDocument('sessions', { email, password }))
const confirm = (token: string, at = site) =>
  api(undefined, at).post('/email-confirmations', buildResourceDocument('email-confirmations', { token }))
const forgot = (email: string, at = site) =>
  api(undefined, at).post('/password-resets', buildResourceDocument('password-resets', { email }))
const choose = (attributes: Record<string, unknown>, token?: string) =>
  api(token).post('/password-changes', buildResourceDocument('password-changes', attributes))
const kinds = async (email: string) => (await loadMailsTo(runtime, site.id, email)).map(({ kind }) => kind)
const userOf = async (email: string) => {
  const [user] = await runtime.database.site(site.id).tx((tx) =>
    tx
      .select()
      .from(users)
      .where(and(eq(users.siteId, site.id), eq(users.email, email))),
  )
  return user
}

describe('registering', () => {
  test('creates an account whose address is confirmed by an emailed link, once', async () => {
    const email = someone()
    const answer = await register({ email: email.toUpperCase(), locale: 'fr-CA', marketingConsent: true })
    expect(answer.status).toBe(201)
    expect(await userOf(email)).toMatchObject({ login: 'Ann Tremblay', locale: 'fr-CA', emailConfirmedAt: null, marketingConsentAt: start })
    const [mail] = await loadMailsTo(runtime, site.id, email)
    expect(mail).toMatchObject({ kind: 'confirm-email', language: 'fr-CA', subject: 'Confirmez votre adresse de courriel pour Riverbend' })
    expect(mail?.bodyText).toContain('Bonjour Ann Tremblay,')
    expect(mail?.bodyText).toContain('http://riverbend.localhost:3000/fr-CA/confirm-email?token=')
    const token = await requireMailedToken(runtime, site.id, email, 'confirm-email')
    expect((await confirm(token)).body).toMatchObject({ data: { attributes: { confirmed: 'confirm-email' } } })
    expect((await userOf(email))?.emailConfirmedAt).toEqual(start)
    const again = await confirm(token)
    expect([again.status, again.codes]).toEqual([410, ['link-expired']])
  })

  test('gives the same response for a known address, with the same work, and only emails its holder', async () => {
    const ann = await addAccount(runtime, site, { email: someone() })
    const before = await userOf(ann.email)
    const fresh = someone()
    vi.mocked(argon2).mockClear()
    const unknown = await register({ email: fresh })
    expect(vi.mocked(argon2)).toHaveBeenCalledTimes(1)
    const known = await register({ email: ann.email, login: 'Mallory', password: 'another-long-password' })
    expect(vi.mocked(argon2)).toHaveBeenCalledTimes(2)
    const shape = (answer: typeof known) => JSON.stringify(answer.body).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    expect([known.status, shape(known)]).toEqual([unknown.status, shape(unknown)])
    expect([...known.headers.keys()]).toEqual([...unknown.headers.keys()])
    expect(await userOf(ann.email)).toEqual(before)
    expect(await kinds(ann.email)).toEqual(['account-exists'])
    expect(await kinds(fresh)).toEqual(['confirm-email'])
  })

  test('with an unconfirmed address lets only the address’s owner take over the account', async () => {
    const email = someone()
    await register({ email, password: 'squatters-password', login: 'Squatter' })
    await register({ email })
    expect(await kinds(email)).toEqual(['confirm-email', 'finish-registration'])
    expect((await signIn(email)).codes).toEqual(['wrong-credentials'])
    const token = await requireMailedToken(runtime, site.id, email, 'finish-registration')
    expect((await choose({ token, password: 'the-readers-own-password' })).status).toBe(201)
    expect((await userOf(email))?.emailConfirmedAt).not.toBeNull()
    expect((await signIn(email, 'squatters-password')).status).toBe(401)
    expect((await signIn(email, 'the-readers-own-password')).status).toBe(201)
  })

  test('goes on for an office behind one address whose people confirm, however many there are', async () => {
    const office = { address: '192.0.2.90' }
    const ctx = createCtx(runtime, site, office)
    const at = createApiClient(runtime, site, undefined, office)
    // So many mails to strangers that nobody answers are all that one address sends in an hour.
    for (let waiting = 0; waiting < 99; waiting++) await countAttempt(ctx, limitMails(ctx, 'register', someone()))
    for (let colleague = 0; colleague < 3; colleague++) {
      const email = someone()
      expect((await at.post('/users', buildResourceDocument('users', { login: 'Ann', password: PASSWORD, email }))).status).toBe(201)
      const token = await requireMailedToken(runtime, site.id, email, 'confirm-email')
      expect((await at.post('/email-confirmations', buildResourceDocument('email-confirmations', { token }))).status).toBe(201)
    }
    await countAttempt(ctx, limitMails(ctx, 'register', someone()))
    const refused = await at.post('/users', buildResourceDocument('users', { login: 'Ann', password: PASSWORD, email: someone() }))
    expect(refused.codes).toEqual(['too-many-requests'])
  })

  test('emails one mailbox five times an hour, whatever stands behind a plus', async () => {
    const email = someone()
    for (let i = 0; i < 5; i++) expect((await register({ email: email.replace('@', `+${i}@`) })).status).toBe(201)
    expect((await register({ email: email.replace('@', '+5@') })).codes).toEqual(['too-many-requests'])
    expect((await register({ email })).codes).toEqual(['too-many-requests'])
  })

  test('twice at the same moment creates one account', async () => {
    const email = someone()
    const answers = await Promise.all([register({ email }), register({ email })])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect((await kinds(email)).toSorted()).toEqual(['confirm-email', 'finish-registration'])
  })

  test('refuses passwords that are short, common or contain account details, with a pointer to the field', async () => {
    for (const [password, code] of [
      ['1234567', 'too-short'],
      ['password1', 'common-password'],
      ['riverbend2026', 'common-password'],
      ['x'.repeat(129), 'too-long'],
    ]) {
      const answer = await register({ email: someone(), password })
      expect(answer.body?.errors?.map((error) => [error.code, error.source?.pointer])).toEqual([[code, '/data/attributes/password']])
    }
    const email = someone()
    expect((await register({ email, password: email })).codes).toEqual(['common-password'])
    expect((await register({ email, password: 'ŵ'.repeat(128) })).status).toBe(201)
  })

  test('requires one of the site’s languages', async () => {
    const english = await addSite(runtime, { slug: 'harbour', languages: ['en'] })
    const answer = await register({ email: someone(), locale: 'cy' }, english)
    expect(answer.body?.errors?.[0]).toMatchObject({ code: 'not-a-choice', source: { pointer: '/data/attributes/locale' } })
  })

  test('marks each invalid field, and stores SQL and HTML as plain text', async () => {
    const answer = await register({ login: '  ', email: 'nobody', password: '' })
    expect(answer.status).toBe(422)
    expect(answer.body?.errors?.map((error) => [error.source?.pointer, error.code])).toEqual([
      ['/data/attributes/login', 'required'],
      ['/data/attributes/email', 'not-an-email'],
      ['/data/attributes/password', 'required'],
    ])
    const email = someone()
    expect((await register({ email, login: `<img src=x onerror=alert(1)> '; drop table users; --` })).status).toBe(201)
    const [mail] = await loadMailsTo(runtime, site.id, email)
    expect(mail?.bodyHtml).not.toContain('<img')
    expect(mail?.bodyHtml).toContain('&lt;img src=x onerror=alert(1)&gt; &#39;; drop table users; --')
    expect((await register({ email: someone(), login: 'a\nBcc: x' })).codes).toEqual(['wrong-format'])
    expect((await register({ email: someone(), role: 'site_admin' })).codes).toEqual(['unknown-attribute'])
  })

  test('is rate-limited per address and network', async () => {
    const email = someone()
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await register({ email })).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429])
    later(2)
    expect((await register({ email })).status).toBe(201)
  })

  test('is separate for each site: the same address makes two accounts', async () => {
    const other = await addSite(runtime, { slug: 'dyffryn', locale: 'cy' })
    const email = someone()
    await register({ email })
    await register({ email }, other)
    expect(await kinds(email)).toEqual(['confirm-email'])
    expect((await loadMailsTo(runtime, other.id, email)).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['confirm-email', 'Cadarnhewch eich cyfeiriad e-bost ar gyfer Dyffryn'],
    ])
    const token = await requireMailedToken(runtime, site.id, email, 'confirm-email')
    expect((await confirm(token, other)).status).toBe(410)
    expect((await confirm(token)).status).toBe(201)
  })
})

describe('a link to confirm an address', () => {
  test('expires after a day', async () => {
    const email = someone()
    await register({ email })
    later(25)
    expect((await confirm(await requireMailedToken(runtime, site.id, email, 'confirm-email'))).codes).toEqual(['link-expired'])
  })

  test('can be requested again, which revokes the earlier one', async () => {
    const ann = await addAccount(runtime, site, { email: someone(), confirmed: false })
    const resend = () => api(ann.token).post('/email-confirmations', buildResourceDocument('email-confirmations', {}))
    expect((await resend()).status).toBe(201)
    const first = await requireMailedToken(runtime, site.id, ann.email, 'confirm-email')
    later(0.1)
    await resend()
    const second = await requireMailedToken(runtime, site.id, ann.email, 'confirm-email')
    expect((await confirm(first)).status).toBe(410)
    expect((await confirm(second)).status).toBe(201)
    expect((await resend()).codes).toEqual(['already-confirmed'])
    expect((await api().post('/email-confirmations', buildResourceDocument('email-confirmations', {}))).codes).toEqual(['unauthenticated'])
  })

  test('is stored only as a hash', async () => {
    const email = someone()
    await register({ email })
    const token = await requireMailedToken(runtime, site.id, email, 'confirm-email')
    const { rows } = await runtime.database
      .site(site.id)
      .tx((tx) => tx.execute<{ all: string }>(sql`select string_agg(l::text, '') as all from one_time_links l`))
    expect(rows[0]?.all).not.toContain(token)
  })

  test.each(['', 'x', "' or 1=1 --", '<b>', '%00', 'a'.repeat(43)])('with the token %j is refused', async (token) => {
    const answer = await confirm(token)
    expect([410, 422]).toContain(answer.status)
  })
})

describe('a forgotten password', () => {
  test('is reset by an emailed link, once, within an hour, and ends all sessions', async () => {
    const ann = await addAccount(runtime, site, { email: someone() })
    expect((await forgot(ann.email)).status).toBe(201)
    const token = await requireMailedToken(runtime, site.id, ann.email, 'reset-password')
    expect((await choose({ token, password: 'password' })).codes).toEqual(['common-password'])
    expect((await choose({ token, password: 'a-brand-new-password' })).status).toBe(201)
    expect((await choose({ token, password: 'yet-another-password' })).codes).toEqual(['link-expired'])
    expect((await api(ann.token).get('/current-user')).status).toBe(401)
    expect((await signIn(ann.email)).status).toBe(401)
    expect((await signIn(ann.email, 'a-brand-new-password')).status).toBe(201)
    expect(await kinds(ann.email)).toEqual(['reset-password', 'password-changed'])
    await forgot(ann.email)
    const late = await requireMailedToken(runtime, site.id, ann.email, 'reset-password')
    later(1.1)
    expect((await choose({ token: late, password: 'a-brand-new-password' })).codes).toEqual(['link-expired'])
  })

  test('is reset once if the link is used twice at the same moment', async () => {
    const ann = await addAccount(runtime, site, { email: someone() })
    await forgot(ann.email)
    const token = await requireMailedToken(runtime, site.id, ann.email, 'reset-password')
    const both = await Promise.all(['a-brand-new-password', 'yet-another-password'].map((password) => choose({ token, password })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 410])
  })

  test('of an unknown address gets the same response, and nobody is emailed', async () => {
    const ann = await addAccount(runtime, site, { email: someone() })
    const unknown = someone()
    const [one, two] = [await forgot(ann.email), await forgot(unknown)]
    expect([two.status, Object.keys(two.body?.data as object)]).toEqual([one.status, Object.keys(one.body?.data as object)])
    expect(await kinds(unknown)).toEqual([])
  })

  test('cannot be reset from a mailbox that the account no longer uses', async () => {
    const ann = await addAccount(runtime, site, { email: someone() })
    await forgot(ann.email)
    const token = await requireMailedToken(runtime, site.id, ann.email, 'reset-password')
    await runtime.database.site(site.id).tx((tx) => tx.update(users).set({ email: someone() }).where(eq(users.id, ann.id)))
    expect((await choose({ token, password: 'a-brand-new-password' })).codes).toEqual(['link-expired'])
  })

  test('is rate-limited per address', async () => {
    const email = someone()
    for (let i = 0; i < 5; i++) await forgot(email)
    expect((await forgot(email)).codes).toEqual(['too-many-requests'])
    expect((await forgot(email.replace('@', '+1@'))).codes).toEqual(['too-many-requests'])
  })

  test('of a platform administrator can be reset on any site, by an email from the platform', async () => {
    const admin = await addAccount(runtime, site, { role: 'platform_admin', email: someone() })
    await forgot(admin.email)
    expect(await kinds(admin.email)).toEqual([])
    const token = await requireMailedToken(runtime, PLATFORM_SITE_ID, admin.email, 'reset-password')
    expect((await choose({ token, password: 'a-brand-new-password' })).status).toBe(201)
    expect((await signIn(admin.email, 'a-brand-new-password')).status).toBe(201)
  })
})

describe('changing one’s own password', () => {
  test('requires the current password and ends all other sessions', async () => {
    const ann = await addAccount(runtime, site, { email: someone() })
    const other = readToken(await signIn(ann.email))
    const wrong = await choose({ currentPassword: 'not-the-password', password: 'a-brand-new-password' }, ann.token)
    expect(wrong.body?.errors?.[0]).toMatchObject({
      status: '422',
      code: 'wrong-password',
      source: { pointer: '/data/attributes/currentPassword' },
    })
    expect((await choose({ password: 'a-brand-new-password' }, ann.token)).codes).toEqual(['required'])
    expect((await choose({ currentPassword: PASSWORD, password: 'a-brand-new-password' })).codes).toEqual(['unauthenticated'])
    expect((await choose({ currentPassword: PASSWORD, password: 'a-brand-new-password' }, ann.token)).status).toBe(201)
    expect((await api(ann.token).get('/current-user')).status).toBe(200)
    expect((await api(other).get('/current-user')).status).toBe(401)
    expect(await kinds(ann.email)).toEqual(['password-changed'])
    expect((await signIn(ann.email, 'a-brand-new-password')).status).toBe(201)
  })

  test('with a stolen session is stopped after ten guesses', async () => {
    const ann = await addAccount(runtime, site, { email: someone() })
    for (let i = 0; i < 10; i++) await choose({ currentPassword: `guess-${i}`, password: 'a-brand-new-password' }, ann.token)
    expect((await choose({ currentPassword: PASSWORD, password: 'a-brand-new-password' }, ann.token)).status).toBe(429)
  })

  test('revokes links emailed before', async () => {
    const ann = await addAccount(runtime, site, { email: someone() })
    await forgot(ann.email)
    const token = await requireMailedToken(runtime, site.id, ann.email, 'reset-password')
    await choose({ currentPassword: PASSWORD, password: 'a-brand-new-password' }, ann.token)
    expect((await choose({ token, password: 'an-intruders-password' })).codes).toEqual(['link-expired'])
  })
})

describe('changing one’s own address', () => {
  const change = (token: string, email: string, password = PASSWORD) =>
    api(token).post('/email-changes', buildResourceDocument('email-changes', { email, password }))

  test('requires the password, waits for confirmation, and notifies the old address', async () => {
    const ann = await addAccount(runtime, site, { email: someone() })
    const email = someone()
    expect((await change(ann.token, email, 'not-the-password')).body?.errors?.[0]).toMatchObject({
      code: 'wrong-password',
      source: { pointer: '/data/attributes/password' },
    })
    expect((await change(ann.token, email)).status).toBe(201)
    expect((await userOf(ann.email))?.id).toBe(ann.id)
    const token = await requireMailedToken(runtime, site.id, email, 'change-email')
    expect((await confirm(token)).body).toMatchObject({ data: { attributes: { confirmed: 'change-email' } } })
    expect((await userOf(email))?.id).toBe(ann.id)
    expect((await signIn(ann.email)).status).toBe(401)
    expect((await signIn(email)).status).toBe(201)
    expect(await kinds(ann.email)).toEqual(['email-change-asked', 'email-changed'])
  })

  test('to one with an account gives the same response, notifies its holder, and reveals nothing', async () => {
    const [ann, bob] = [await addAccount(runtime, site, { email: someone() }), await addAccount(runtime, site, { email: someone() })]
    const free = someone()
    const [taken, open] = [await change(ann.token, bob.email), await change(ann.token, free)]
    expect(taken.status).toBe(open.status)
    expect(await kinds(bob.email)).toEqual(['email-in-use'])
    const own = JSON.stringify((await api(ann.token).get('/own-data')).body)
    expect(own).not.toContain('already used')
    expect(await kinds(ann.email)).toEqual(['email-change-asked', 'email-change-asked'])
  })

  test('to one taken meanwhile is refused on confirmation', async () => {
    const ann = await addAccount(runtime, site, { email: someone() })
    const email = someone()
    await change(ann.token, email)
    await addAccount(runtime, site, { email })
    expect((await confirm(await requireMailedToken(runtime, site.id, email, 'change-email'))).codes).toEqual(['taken'])
  })

  test('is cancelled by a change of password', async () => {
    const ann = await addAccount(runtime, site, { email: someone() })
    const email = someone()
    await change(ann.token, email)
    await choose({ currentPassword: PASSWORD, password: 'a-brand-new-password' }, ann.token)
    expect((await confirm(await requireMailedToken(runtime, site.id, email, 'change-email'))).codes).toEqual(['link-expired'])
  })
})

describe('changing one’s own name, language and consent', () => {
  test('changes only the given fields', async () => {
    const ann = await addAccount(runtime, site)
    const patch = (attributes: Record<string, unknown>) =>
      api(ann.token).patch(`/users/${ann.id}`, buildResourceDocument('users', attributes, { id: ann.id }))
    expect((await patch({ login: 'Ŵyn <b>Ann</b>' })).body).toMatchObject({
      data: { attributes: { login: 'Ŵyn <b>Ann</b>', locale: 'en', marketingConsent: false } },
    })
    expect((await patch({ locale: 'cy', marketingConsent: true })).body).toMatchObject({
      data: { attributes: { locale: 'cy', marketingConsent: true } },
    })
    expect((await patch({ login: '' })).codes).toEqual(['required'])
    expect((await patch({ email: 'x@y.example' })).codes).toEqual(['unknown-attribute'])
    later(1)
    await patch({ marketingConsent: true })
    expect((await userOf(ann.email))?.marketingConsentAt).toEqual(start)
    await patch({ marketingConsent: false })
    expect((await userOf(ann.email))?.marketingConsentAt).toBeNull()
  })

  test('of another person is not found', async () => {
    const [ann, bob] = [await addAccount(runtime, site), await addAccount(runtime, site)]
    expect((await api(ann.token).patch(`/users/${bob.id}`, buildResourceDocument('users', { login: 'x' }, { id: bob.id }))).status).toBe(
      404,
    )
  })
})

test('an email and the change that it reports are stored together or not at all', async () => {
  const email = someone()
  await expect(
    runtime.database.site(site.id).tx(async (tx) => {
      await registerAccount(withTx(createCtx(runtime, site), tx), { email, login: 'Ann', password: PASSWORD, marketingConsent: false })
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect(await userOf(email)).toBeUndefined()
  expect(await runtime.database.site(site.id).tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.recipient, email)))).toEqual([])
})
