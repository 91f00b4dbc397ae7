import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseAccountRows, readOwnData } from '#app/features/people/own-data.server.ts'
import { beginPasskeyConfirmation } from '#app/features/accounts/second-step/confirm-identity.server.ts'
import { addPasskey, beginPasskeySetup, removePasskey } from '#app/features/accounts/second-step/passkeys.server.ts'
import { beginPasskeyOnlySignIn, signInWithPasskey } from '#app/features/accounts/second-step/passkey-sign-in.server.ts'
import { beginPasskeySignIn, beginSignIn, completeSignIn } from '#app/features/accounts/second-step/pending-sign-ins.server.ts'
import { resetSecondStep } from '#app/features/accounts/second-step/reset-second-step.server.ts'
import { beginAppSetup, confirmAppSetup, readSecondStep, removeApp } from '#app/features/accounts/second-step/second-step.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, withViewer } from '#app/server/context.ts'
import { passkeyChallenges, passkeys, users } from '#app/server/db/schema/accounts.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type Account, addAccount, loadMailsTo, PASSWORD, readToken, requireItem, requireItems } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { Authenticator, type Deviation } from '#tests/support/authenticator.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { computeCode } from '#tests/support/totp.ts'

let runtime: TestRuntime
let site: Site
const start = new Date('2026-11-24T09:00:00Z')
const later = (minutes: number) => runtime.setNow(new Date(start.getTime() + minutes * 60_000))

beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  runtime.setNow(start)
  site = await addSite(runtime, { slug: `s${createId()}` })
})

const getOrigin = (host = site.host) => `http://${host}:${runtime.env.PORT}`
const visit = () => createCtx(runtime, site)
const signIn = (email: string, attributes: Record<string, unknown> = {}) =>
  createApiClient(runtime, site).post('/sessions', buildResourceDocument('sessions', { email, password: PASSWORD, ...attributes }))
const loadCtx = (token: string) => withViewer(createCtx(runtime, site), token)
const loadMailKinds = async ({ email }: Account) => (await loadMailsTo(runtime, site.id, email)).map(({ kind }) => kind)
const loadRefusals = async (token: string) =>
  requireItems(await createApiClient(runtime, site, token).get('/audit-events?filter[action]=sessions.refuse')).map(
    ({ attributes }) => (attributes['detail'] as { reason: string }).reason,
  )

async function openFresh(account: Account) {
  const token = readToken(await signIn(account.email))
  return { token, ctx: await loadCtx(token) }
}

/** Somebody with one passkey. */
async function addHolder({ counter = 0, role = 'site_admin' }: { counter?: number; role?: 'site_admin' | 'participant' } = {}) {
  const account = await addAccount(runtime, site, role === 'participant' ? {} : { role })
  const { token, ctx } = await openFresh(account)
  const device = new Authenticator(getOrigin())
  device.counter = counter
  const codes = await addPasskey(ctx, { name: 'Work laptop', passkey: device.make(await beginPasskeySetup(ctx)) })
  return { account, token, ctx: await loadCtx(token), device, codes }
}

/** The right password: what the browser may ask a passkey to sign. */
async function beginWithPassword({ email }: Account) {
  const begun = await beginSignIn(visit(), { email, password: PASSWORD }, undefined)
  if (!('pending' in begun)) throw new Error('The password was enough')
  return { ...begun, options: await beginPasskeySignIn(visit(), begun.pending) }
}

async function signInWith({ account, device }: { account: Account; device: Authenticator }, how: Deviation = {}) {
  const { pending, options } = await beginWithPassword(account)
  return completeSignIn(visit(), pending, { passkey: device.use(options, how) })
}

describe('adding a passkey', () => {
  test('turns two-step sign-in on, gives recovery codes, signs out other devices and tells the person', async () => {
    const account = await addAccount(runtime, site, { role: 'hub_admin' })
    const { token, ctx } = await openFresh(account)
    const options = await beginPasskeySetup(ctx)
    expect(options).toMatchObject({ rp: { id: site.host, name: site.name }, attestation: 'none', user: { name: account.email } })
    const codes = await addPasskey(ctx, { name: 'Work laptop', passkey: new Authenticator(getOrigin()).make(options) })
    expect(codes).toHaveLength(10)
    expect(await readSecondStep(await loadCtx(token))).toMatchObject({
      isOn: true,
      app: null,
      passkeys: [{ name: 'Work laptop', host: site.host, createdAt: start, lastUsedAt: null }],
    })
    expect((await createApiClient(runtime, site, account.token).get('/current-user')).status, 'the other device').toBe(401)
    expect(await loadMailKinds(account)).toEqual(['second-step-on'])
  })

  test('a further one, or an app beside it, is told to the person and audited; the same one is not taken twice', async () => {
    const { account, token, ctx, device } = await addHolder()
    const second = new Authenticator(getOrigin())
    const options = await beginPasskeySetup(ctx)
    expect(options.excludeCredentials).toEqual([expect.objectContaining({ id: device.credentialId })])
    expect(await addPasskey(ctx, { name: 'Key on my ring', passkey: second.make(options) })).toEqual([])
    const again = second.make(await beginPasskeySetup(ctx))
    await expect(addPasskey(ctx, { name: 'Again', passkey: again })).rejects.toMatchObject({ code: 'conflict' })
    const { setup, key } = beginAppSetup(ctx)
    expect(await confirmAppSetup(ctx, { setup, code: computeCode(key, start) })).toEqual([])
    const mails = await loadMailsTo(runtime, site.id, account.email)
    expect(mails.map(({ kind }) => kind)).toEqual(['second-step-on', 'second-step-changed', 'second-step-changed'])
    expect(mails[1]?.bodyText).toContain('The passkey “Key on my ring” was added')
    const events = requireItems(await createApiClient(runtime, site, token).get('/audit-events?filter[action]=second-steps'))
    expect(events.map(({ attributes }) => [attributes['action'], attributes['detail']])).toEqual([
      ['second-steps.create', { method: 'app' }],
      ['second-steps.create', { method: 'passkey' }],
      ['second-steps.create', { method: 'passkey' }],
    ])
  })

  const wrongs: [what: string, how: (options: { challenge: string }) => Deviation][] = [
    ['another origin', () => ({ origin: 'https://riverbend.example' })],
    ['another domain', () => ({ rpId: 'riverbend.example' })],
    ['another challenge', () => ({ challenge: Buffer.alloc(32, 7).toString('base64url') })],
    ['a sign-in instead', () => ({ type: 'webauthn.get' })],
    ['nobody at the device', () => ({ absent: true })],
  ]
  test.each(wrongs)('is refused for %s', async (_, how) => {
    const { ctx } = await openFresh(await addAccount(runtime, site, { role: 'site_admin' }))
    const options = await beginPasskeySetup(ctx)
    const passkey = new Authenticator(getOrigin()).make(options, how(options))
    await expect(addPasskey(ctx, { name: 'Laptop', passkey })).rejects.toMatchObject({ code: 'wrong-passkey' })
    expect(await readSecondStep(ctx)).toMatchObject({ isOn: false, passkeys: [] })
  })

  test('takes a challenge once, within five minutes, in the session that asked for it', async () => {
    const account = await addAccount(runtime, site, { role: 'site_admin' })
    const [one, two] = [await openFresh(account), await openFresh(account)]
    const add = (ctx: typeof one.ctx, passkey: string) => addPasskey(ctx, { name: 'Laptop', passkey })
    const refused = expect.objectContaining({ code: 'wrong-passkey' })
    const options = await beginPasskeySetup(one.ctx)
    const answer = new Authenticator(getOrigin()).make(options)
    await expect(add(two.ctx, answer)).rejects.toEqual(refused)
    await expect(add(one.ctx, '{"id": 1'), 'no answer at all').rejects.toEqual(refused)
    await expect(add(one.ctx, answer), 'used up by the wrong one').rejects.toEqual(refused)
    const late = new Authenticator(getOrigin()).make(await beginPasskeySetup(one.ctx))
    later(6)
    await expect(add(await loadCtx(one.token), late)).rejects.toEqual(refused)
  })

  test('is for those who signed in within the last 15 minutes', async () => {
    const { token, device } = await addHolder()
    later(16)
    const ctx = await loadCtx(token)
    await expect(beginPasskeySetup(ctx)).rejects.toMatchObject({ code: 'fresh-sign-in-required' })
    const options = await beginPasskeyConfirmation(ctx)
    const confirm = (attributes: Record<string, unknown>) =>
      createApiClient(runtime, site, token).post('/session-confirmations', buildResourceDocument('session-confirmations', attributes))
    expect((await confirm({ password: PASSWORD })).codes, 'the password is not enough').toEqual(['required'])
    expect((await confirm({ passkey: device.use(options, { origin: 'https://riverbend.example' }) })).codes).toEqual(['wrong-passkey'])
    const passkey = device.use(await beginPasskeyConfirmation(ctx))
    expect((await confirm({ passkey })).status).toBe(201)
    expect((await confirm({ passkey })).codes, 'a second time').toEqual(['wrong-passkey'])
    expect((await beginPasskeySetup(await loadCtx(token))).rp.id).toBe(site.host)
  })
})

describe('signing in with a passkey', () => {
  test('comes after the password, opens a session once and notes when it was used', async () => {
    const holder = await addHolder()
    expect((await signIn(holder.account.email)).codes).toEqual(['second-step-required'])
    const { pending, methods, options } = await beginWithPassword(holder.account)
    expect(methods).toEqual(['passkey'])
    expect(options).toMatchObject({
      rpId: site.host,
      userVerification: 'preferred',
      allowCredentials: [{ id: holder.device.credentialId, transports: ['internal'] }],
    })
    later(1)
    const passkey = holder.device.use(options)
    const session = await completeSignIn(visit(), pending, { passkey })
    expect((await createApiClient(runtime, site, session.token).get('/current-user')).status).toBe(200)
    expect((await readSecondStep(await loadCtx(session.token))).passkeys).toMatchObject([{ lastUsedAt: runtime.now() }])
    await expect(completeSignIn(visit(), pending, { passkey })).rejects.toMatchObject({ code: 'sign-in-expired' })
    const next = await beginWithPassword(holder.account)
    await expect(completeSignIn(visit(), next.pending, { passkey }), 'the former answer').rejects.toMatchObject({ code: 'wrong-passkey' })
  })

  test('a sign-in on a device not seen before is told to the holder', async () => {
    const holder = await addHolder()
    const { pending, options } = await beginWithPassword(holder.account)
    await completeSignIn({ ...visit(), userAgent: 'Somewhere else' }, pending, { passkey: holder.device.use(options) })
    expect((await loadMailKinds(holder.account)).at(-1)).toBe('new-device')
  })

  const stranger = new Authenticator('http://elsewhere.localhost')
  const wrongs: [what: string, how: Deviation][] = [
    ['signed for another origin', { origin: 'https://riverbend.example' }],
    ['signed for the same name without its port', { origin: 'http://localhost' }],
    ['signed for another domain', { rpId: 'localhost' }],
    ['that signs another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['of a device that nobody touched', { absent: true }],
    ['signed with another key', { key: stranger.privateKey }],
    ['of a credential that nobody has', { credentialId: stranger.credentialId }],
    ['made as if to add one', { type: 'webauthn.create' }],
  ]
  test.each(wrongs)('an answer %s is refused, and the refusal is audited', async (_, how) => {
    const holder = await addHolder()
    await expect(signInWith(holder, how)).rejects.toMatchObject({ code: 'wrong-passkey' })
    expect(await loadRefusals(holder.token)).toEqual(['wrong-passkey'])
    const session = await signInWith(holder)
    expect(session.userId).toBe(holder.account.id)
  })

  test('what is no answer is refused, whatever it is', async () => {
    const { account } = await addHolder()
    for (const passkey of ['', 'null', '[]', '{}', '{"id":{}}', '{"response":null}', 'not JSON', '"text"']) {
      const { pending } = await beginWithPassword(account)
      await expect(completeSignIn(visit(), pending, { passkey }), passkey).rejects.toMatchObject({ code: 'wrong-passkey' })
      runtime.setNow(new Date(runtime.now().getTime() + 16 * 60_000))
    }
  })

  test('a challenge is used up by a wrong answer, and belongs to the sign-in that asked for it', async () => {
    const holder = await addHolder()
    const [one, two] = [await beginWithPassword(holder.account), await beginWithPassword(holder.account)]
    const answer = holder.device.use(one.options)
    await expect(completeSignIn(visit(), two.pending, { passkey: answer })).rejects.toMatchObject({ code: 'wrong-passkey' })
    const wrong = holder.device.use(one.options, { origin: 'https://riverbend.example' })
    await expect(completeSignIn(visit(), one.pending, { passkey: wrong })).rejects.toMatchObject({ code: 'wrong-passkey' })
    await expect(completeSignIn(visit(), one.pending, { passkey: answer })).rejects.toMatchObject({ code: 'wrong-passkey' })
    const options = await beginPasskeySignIn(visit(), one.pending)
    expect((await completeSignIn(visit(), one.pending, { passkey: holder.device.use(options) })).userId).toBe(holder.account.id)
  })

  test('somebody else’s passkey opens nothing, and neither does one that was removed', async () => {
    const [one, two] = [await addHolder(), await addHolder()]
    await expect(signInWith({ account: one.account, device: two.device })).rejects.toMatchObject({ code: 'wrong-passkey' })
    const second = new Authenticator(getOrigin())
    await addPasskey(one.ctx, { name: 'Second', passkey: second.make(await beginPasskeySetup(one.ctx)) })
    const { pending, options } = await beginWithPassword(one.account)
    const [first] = (await readSecondStep(one.ctx)).passkeys
    await removePasskey(one.ctx, first?.id ?? '')
    await expect(completeSignIn(visit(), pending, { passkey: one.device.use(options) })).rejects.toMatchObject({ code: 'wrong-passkey' })
    expect((await signInWith({ account: one.account, device: second })).userId).toBe(one.account.id)
    await expect(removePasskey(two.ctx, (await readSecondStep(one.ctx)).passkeys[0]?.id ?? '')).rejects.toMatchObject({ code: 'not-found' })
  })

  test('one whose counter does not grow may be a copy: it is refused and audited as such; one that does not count is fine', async () => {
    const counting = await addHolder({ counter: 5 })
    await signInWith(counting)
    await signInWith(counting)
    expect(counting.device.counter).toBe(7)
    for (const counter of [7, 3, 0])
      await expect(signInWith(counting, { counter }), String(counter)).rejects.toMatchObject({ code: 'copied-passkey' })
    expect(await loadRefusals(counting.token)).toEqual(['copied-passkey', 'copied-passkey', 'copied-passkey'])
    await signInWith(counting)
    const still = await addHolder()
    await signInWith(still)
    await signInWith(still)
  })

  test('works on the domain that it was made for, and is not offered on another of the site', async () => {
    const { account, device } = await addHolder()
    const elsewhere = () => createCtx(runtime, { ...site, host: 'other.localhost' })
    const begun = await beginSignIn(elsewhere(), { email: account.email, password: PASSWORD }, undefined)
    const pending = 'pending' in begun ? begun.pending : ''
    expect(begun).toMatchObject({ methods: [] })
    const options = await beginPasskeySignIn(elsewhere(), pending)
    expect(options.allowCredentials).toEqual([])
    const answer = device.use(options, { origin: getOrigin('other.localhost'), rpId: 'other.localhost' })
    await expect(completeSignIn(elsewhere(), pending, { passkey: answer })).rejects.toMatchObject({ code: 'wrong-passkey' })
  })

  test('makes people wait after five wrong answers', async () => {
    const holder = await addHolder()
    for (let i = 0; i < 6; i++) await expect(signInWith(holder, { absent: true })).rejects.toMatchObject({ code: 'wrong-passkey' })
    await expect(signInWith(holder)).rejects.toMatchObject({ code: 'too-many-requests' })
  })

  test('recovery codes work beside it', async () => {
    const { account, codes } = await addHolder()
    expect((await signIn(account.email, { code: codes[0] })).status).toBe(201)
    expect((await signIn(account.email, { code: codes[0] })).codes).toEqual(['wrong-second-step'])
  })
})

describe('signing in with nothing but a passkey', () => {
  const wait = () => runtime.setNow(new Date(runtime.now().getTime() + 16 * 60_000))

  test('opens a session for a participant, also if they have two-step sign-in', async () => {
    const { account, device } = await addHolder({ role: 'participant' })
    const options = await beginPasskeyOnlySignIn(visit())
    expect(options).toMatchObject({ rpId: site.host, userVerification: 'required' })
    expect(options.allowCredentials ?? []).toEqual([])
    const session = await signInWithPasskey(visit(), device.use(options))
    expect(session.userId).toBe(account.id)
    expect((await loadCtx(session.token)).viewer).toMatchObject({ kind: 'user', id: account.id })
  })

  test('is not enough for somebody with a role, who is told so', async () => {
    const { device, token } = await addHolder()
    await expect(signInWithPasskey(visit(), device.use(await beginPasskeyOnlySignIn(visit())))).rejects.toMatchObject({
      code: 'password-first',
    })
    expect(await loadRefusals(token)).toEqual([])
  })

  const stranger = new Authenticator('http://localhost')
  const wrongs: [what: string, how: Deviation][] = [
    ['of a device that did not verify the person', { unverified: true }],
    ['of a device that nobody touched', { absent: true }],
    ['signed for another origin', { origin: 'https://riverbend.example' }],
    ['signed for another domain', { rpId: 'localhost' }],
    ['that signs a challenge of its own', { challenge: Buffer.alloc(48, 7).toString('base64url') }],
    ['that signs nothing', { challenge: '' }],
    ['signed with another key', { key: stranger.privateKey }],
    ['of a credential that nobody has', { credentialId: stranger.credentialId }],
  ]
  test.each(wrongs)('an answer %s is refused', async (_, how) => {
    const { device } = await addHolder({ role: 'participant' })
    const options = await beginPasskeyOnlySignIn(visit())
    await expect(signInWithPasskey(visit(), device.use(options, how))).rejects.toMatchObject({ code: 'wrong-passkey' })
    expect((await signInWithPasskey(visit(), device.use(options))).token).toBeTruthy()
  })

  test('takes a challenge once, also if it arrives twice at once, within an hour and on this site', async () => {
    const { device } = await addHolder({ role: 'participant' })
    const answer = device.use(await beginPasskeyOnlySignIn(visit()))
    const both = await Promise.allSettled([signInWithPasskey(visit(), answer), signInWithPasskey(visit(), answer)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(signInWithPasskey(visit(), answer)).rejects.toMatchObject({ code: 'wrong-passkey' })
    const other = await addSite(runtime, { slug: `o${createId()}` })
    const elsewhere = await beginPasskeyOnlySignIn(createCtx(runtime, other))
    await expect(signInWithPasskey(visit(), device.use(elsewhere))).rejects.toMatchObject({ code: 'wrong-passkey' })
    const late = device.use(await beginPasskeyOnlySignIn(visit()))
    runtime.setNow(new Date(runtime.now().getTime() + 61 * 60_000))
    await expect(signInWithPasskey(visit(), late)).rejects.toMatchObject({ code: 'wrong-passkey' })
  })

  test('opens nothing for somebody who is blocked', async () => {
    const { account, device } = await addHolder({ role: 'participant' })
    await runtime.database.site(site.id).tx((tx) => tx.update(users).set({ blockedAt: runtime.now() }).where(eq(users.id, account.id)))
    await expect(signInWithPasskey(visit(), device.use(await beginPasskeyOnlySignIn(visit())))).rejects.toMatchObject({ code: 'blocked' })
  })

  test('what is no answer is refused, whatever it is', async () => {
    for (const passkey of [
      '',
      'null',
      '[]',
      '{}',
      '{"id":{}}',
      '{"response":null}',
      '{"response":{"clientDataJSON":7}}',
      '{"response":{"clientDataJSON":"bnVsbA"}}',
      'not JSON',
    ]) {
      await expect(signInWithPasskey(visit(), passkey), passkey).rejects.toMatchObject({ code: 'wrong-passkey' })
      wait()
    }
  })
})

describe('having a passkey', () => {
  test('counts where the site requires a second step', async () => {
    site = await addSite(runtime, { slug: `r${createId()}`, secondStepRequiredSince: new Date(0) })
    const account = await addAccount(runtime, site, { role: 'site_admin' })
    const { token, ctx } = await openFresh(account)
    const readRole = async () => {
      const { attributes } = requireItem(await createApiClient(runtime, site, token).get('/current-user'))
      return (attributes['user'] as { roleName: string }).roleName
    }
    expect(await readRole()).toBe('participant')
    await addPasskey(ctx, { name: 'Laptop', passkey: new Authenticator(getOrigin()).make(await beginPasskeySetup(ctx)) })
    expect(await readRole()).toBe('site_admin')
  })

  test('without the app it stays on, and goes off with the last', async () => {
    const { account, ctx } = await addHolder()
    const { setup, key } = beginAppSetup(ctx)
    await confirmAppSetup(ctx, { setup, code: computeCode(key, start) })
    await removeApp(ctx)
    expect((await signIn(account.email)).codes).toEqual(['second-step-required'])
    expect((await loadMailKinds(account)).at(-1)).toBe('second-step-changed')
    const [passkey] = (await readSecondStep(ctx)).passkeys
    await removePasskey(ctx, passkey?.id ?? '')
    expect((await signIn(account.email)).status).toBe(201)
    expect((await loadMailKinds(account)).at(-1)).toBe('second-step-off')
  })

  test('ends when an administrator or the person who runs the machine turns it off', async () => {
    const { account, device } = await addHolder()
    expect(await resetSecondStep(visit(), account.email)).toBe(true)
    expect((await signIn(account.email)).status).toBe(201)
    expect(device.counter).toBe(0)
    expect(await visit().db.read((tx) => tx.select().from(passkeys))).toEqual([])
  })

  test('is in the person’s own data without keys, and goes with the account', async () => {
    const { account, ctx, device } = await addHolder()
    await beginPasskeyConfirmation(ctx)
    const data = JSON.stringify(await readOwnData(ctx))
    expect(JSON.parse(data)).toMatchObject({
      secondStep: { passkeys: [{ name: 'Work laptop', host: site.host, createdAt: start.toISOString(), lastUsedAt: null }] },
    })
    expect(data).not.toContain(device.credentialId)
    await visit().db.tx((tx) => eraseAccountRows(visit(), tx, site.id, account.id))
    for (const table of [passkeys, passkeyChallenges]) expect(await visit().db.read((tx) => tx.select().from(table))).toEqual([])
  })
})
