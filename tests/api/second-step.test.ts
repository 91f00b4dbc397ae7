import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resealAll } from '#app/cli/rotate-key.ts'
import { findCodeStep } from '#app/features/accounts/second-step/authenticator-app.server.ts'
import { beginSignIn, completeSignIn } from '#app/features/accounts/second-step/pending-sign-ins.server.ts'
import { resetSecondStep } from '#app/features/accounts/second-step/reset-second-step.server.ts'
import {
  beginAppSetup,
  confirmAppSetup,
  readSecondStep,
  removeApp,
  renewRecoveryCodes,
} from '#app/features/accounts/second-step/second-step.server.ts'
import { requestPasswordReset, resetPassword } from '#app/features/accounts/passwords.server.ts'
import { readOwnData } from '#app/features/people/own-data.server.ts'
import { createCtx, withViewer } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type Account, addAccount, loadMailsTo, PASSWORD, readToken, requireItems, requireMailedToken } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { computeCode, listWrongCodes } from '#tests/support/totp.ts'

let runtime: TestRuntime
let site: Site
const start = new Date('2026-11-24T09:00:00Z')
const later = (seconds: number) => runtime.setNow(new Date(start.getTime() + seconds * 1000))

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
})
beforeEach(() => runtime.setNow(start))

const signIn = (email: string, attributes: Record<string, unknown> = {}) =>
  createApiClient(runtime, site).post('/sessions', buildResourceDocument('sessions', { email, password: PASSWORD, ...attributes }))

/** Somebody who signed in now, so that their sign-in is fresh. */
async function openFresh(account: Account, attributes: Record<string, unknown> = {}) {
  const token = readToken(await signIn(account.email, attributes))
  return { token, ctx: await withViewer(createCtx(runtime, site), token) }
}

/** An administrator with an authenticator app, whose first code was used at `start`. */
async function addProtected(options: Parameters<typeof addAccount>[2] = {}) {
  const account = await addAccount(runtime, site, { role: 'site_admin', ...options })
  const { token, ctx } = await openFresh(account)
  const { setup, key } = beginAppSetup(ctx)
  const codes = await confirmAppSetup(ctx, { setup, code: computeCode(key, runtime.now()) })
  return { account, token, ctx: await withViewer(createCtx(runtime, site), token), key, codes }
}

describe('a code of an authenticator app', () => {
  const KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  // RFC 6238, appendix B, SHA-1. Apps show the last six of its eight digits.
  const VECTORS: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ]

  test.each(VECTORS)('is that of RFC 6238 at %i seconds', (seconds, code) => {
    const at = new Date(seconds * 1000)
    expect(computeCode(KEY, at, 8)).toBe(code)
    expect(findCodeStep(KEY, code.slice(2), at)).toBe(Math.floor(seconds / 30))
  })

  test('is right one step early or late, and wrong two steps away', () => {
    const code = VECTORS[3]?.[1].slice(2) ?? ''
    const at = (steps: number) => new Date((1_234_567_890 + steps * 30) * 1000)
    const step = Math.floor(1_234_567_890 / 30)
    expect([-2, -1, 0, 1, 2].map((steps) => findCodeStep(KEY, code, at(steps)))).toEqual([undefined, step, step, step, undefined])
  })

  test('has six digits and nothing else', () => {
    for (const code of ['', '94287082', '28708', ' 287082', '28708२', 'abcdef'])
      expect(findCodeStep(KEY, code, new Date(59_000))).toBeUndefined()
  })
})

describe('setting up an app', () => {
  test('takes a code from it, signs out other devices, tells the person and gives ten recovery codes', async () => {
    const account = await addAccount(runtime, site, { role: 'hub_admin' })
    const { token, ctx } = await openFresh(account)
    const { setup, key, qr } = beginAppSetup(ctx)
    expect(key.replaceAll(' ', '')).toMatch(/^[A-Z2-7]{32}$/)
    expect(qr.path).toMatch(/^M\d+ \d+h1v1h-1z/)
    const [wrong = ''] = listWrongCodes(key, start, 1)
    await expect(confirmAppSetup(ctx, { setup, code: wrong })).rejects.toMatchObject({ code: 'wrong-second-step' })
    expect(await readSecondStep(ctx)).toMatchObject({ isOn: false, app: null })
    const codes = await confirmAppSetup(ctx, { setup, code: computeCode(key, start) })
    expect(new Set(codes).size).toBe(10)
    expect(codes.every((code) => /^[2-9A-Z]{4}(-[2-9A-Z]{4}){5}$/.test(code))).toBe(true)
    const current = await withViewer(createCtx(runtime, site), token)
    expect(await readSecondStep(current)).toMatchObject({ isOn: true, app: { since: start }, codesLeft: 10 })
    expect((await createApiClient(runtime, site, account.token).get('/current-user')).status, 'the other device').toBe(401)
    expect((await loadMailsTo(runtime, site.id, account.email)).map(({ kind }) => kind)).toEqual(['second-step-on'])
  })

  test('takes the same key again after a wrong code, and nobody else’s', async () => {
    const { ctx } = await openFresh(await addAccount(runtime, site, { role: 'hub_admin' }))
    const other = await openFresh(await addAccount(runtime, site, { role: 'hub_admin' }))
    const { setup, key } = beginAppSetup(ctx)
    expect(beginAppSetup(ctx, setup).key).toBe(key)
    expect(beginAppSetup(other.ctx, setup).key).not.toBe(key)
    await expect(confirmAppSetup(other.ctx, { setup, code: computeCode(key, start) })).rejects.toMatchObject({ code: 'wrong-second-step' })
  })

  test.each(['project_admin', undefined] as const)(
    'is for those who signed in within the last 15 minutes, whatever their role: %s',
    async (role) => {
      const { token } = await openFresh(await addAccount(runtime, site, role ? { role } : {}))
      later(16 * 60)
      const ctx = await withViewer(createCtx(runtime, site), token)
      expect(() => beginAppSetup(ctx)).toThrow(expect.objectContaining({ code: 'fresh-sign-in-required' }))
      const confirm = (attributes: Record<string, unknown>) =>
        createApiClient(runtime, site, token).post('/session-confirmations', buildResourceDocument('session-confirmations', attributes))
      expect((await confirm({ password: 'not-the-password' })).codes).toEqual(['wrong-password'])
      expect((await confirm({ password: PASSWORD })).status).toBe(201)
      expect(beginAppSetup(await withViewer(createCtx(runtime, site), token)).key).toBeTruthy()
    },
  )

  test('leaves neither key nor codes in the database, the trail or the log', async () => {
    const { key, codes } = await addProtected()
    const { rows } = await runtime.database.site(site.id).tx((tx) =>
      tx.execute<{ all: string }>(sql`select (select string_agg(a::text, '') from authenticator_apps a)
        || (select string_agg(r::text, '') from recovery_codes r) || (select string_agg(e::text, '') from audit_events e)
        || (select string_agg(m::text, '') from outbox_mails m) as all`),
    )
    const plain = key.replaceAll(' ', '')
    for (const secret of [plain, key, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(rows[0]?.all).not.toContain(secret)
      expect(runtime.logged.join('\n')).not.toContain(secret)
    }
  })
})

describe('signing in with a second step', () => {
  test('opens no session for the password: the API asks for a code and accepts it once', async () => {
    const { account, key } = await addProtected()
    const without = await signIn(account.email)
    expect([without.status, without.codes]).toEqual([401, ['second-step-required']])
    expect((await signIn(account.email, { code: computeCode(key, start) })).codes, 'the code of the set-up').toEqual(['wrong-second-step'])
    later(30)
    const code = computeCode(key, runtime.now())
    expect((await signIn(account.email, { code })).status).toBe(201)
    const again = await signIn(account.email, { code })
    expect([again.status, again.codes]).toEqual([422, ['wrong-second-step']])
    expect((await signIn(account.email, { code: computeCode(key, new Date(runtime.now().getTime() + 30_000)) })).status).toBe(201)
    expect((await signIn(account.email, { code: computeCode(key, new Date(runtime.now().getTime() + 60_000)) })).status).toBe(422)
  })

  test('keeps somebody whose code is due out of everything, and lets them in once', async () => {
    const { account, key } = await addProtected()
    const visitor = createCtx(runtime, site)
    const begun = await beginSignIn(visitor, { email: account.email, password: PASSWORD }, undefined)
    const pending = 'pending' in begun ? begun.pending : ''
    expect(pending).toMatch(/^[\w-]{43}$/)
    expect((await createApiClient(runtime, site, pending).get('/current-user')).status).toBe(401)
    expect((await withViewer(visitor, pending)).viewer.kind).toBe('visitor')
    later(60)
    const session = await completeSignIn(visitor, pending, { code: computeCode(key, runtime.now()) })
    expect((await createApiClient(runtime, site, session.token).get('/current-user')).status).toBe(200)
    later(120)
    await expect(completeSignIn(visitor, pending, { code: computeCode(key, runtime.now()) })).rejects.toMatchObject({
      code: 'sign-in-expired',
    })
  })

  test('waits ten minutes for the code', async () => {
    const { account, key } = await addProtected()
    const begun = await beginSignIn(createCtx(runtime, site), { email: account.email, password: PASSWORD }, undefined)
    later(11 * 60)
    const late = completeSignIn(createCtx(runtime, site), 'pending' in begun ? begun.pending : '', {
      code: computeCode(key, runtime.now()),
    })
    await expect(late).rejects.toMatchObject({ code: 'sign-in-expired' })
  })

  test('has recovery codes with more random bits than a plain hash needs', async () => {
    const { codes } = await addProtected()
    const all = codes.join('').replaceAll('-', '')
    // Each of so many characters is one of as many as occur.
    const bits = (all.length / codes.length) * Math.log2(new Set(all).size)
    expect(bits).toBeGreaterThanOrEqual(112)
  })

  test('accepts each recovery code once, however it is written, and tells the person', async () => {
    const { account, codes } = await addProtected()
    const [code = ''] = codes
    expect((await signIn(account.email, { code: code.toLowerCase().replaceAll('-', ' ') })).status).toBe(201)
    expect((await signIn(account.email, { code })).codes).toEqual(['wrong-second-step'])
    const mail = (await loadMailsTo(runtime, site.id, account.email)).at(-1)
    expect(mail?.kind).toBe('recovery-code-used')
    expect(mail?.bodyText).toContain('9 codes left')
    expect(mail?.bodyText).not.toContain(code)
    const { token } = await openFresh(account, { code: codes[1] })
    const actions = requireItems(await createApiClient(runtime, site, token).get('/audit-events?filter[action]=second-steps'))
    expect(actions.map(({ attributes }) => attributes['action'])).toContain('second-steps.use-recovery-code')
  })

  test('does not accept somebody else’s code', async () => {
    const [one, two] = [await addProtected(), await addProtected()]
    later(30)
    expect((await signIn(one.account.email, { code: computeCode(two.key, runtime.now()) })).status).toBe(422)
    expect((await signIn(one.account.email, { code: two.codes[0] })).status).toBe(422)
  })

  test('makes people wait after five wrong codes, says how long, and counts no right ones', async () => {
    const { account, key, codes } = await addProtected()
    for (const code of codes.slice(0, 6)) expect((await signIn(account.email, { code })).status).toBe(201)
    for (const code of listWrongCodes(key, start, 6)) expect((await signIn(account.email, { code })).status).toBe(422)
    const refused = await signIn(account.email, { code: codes[6] })
    expect([refused.status, refused.codes, refused.headers.get('retry-after')]).toEqual([429, ['too-many-requests'], '1'])
    later(30)
    expect((await signIn(account.email, { code: computeCode(key, runtime.now()) })).status).toBe(201)
  })

  test('a new password does not skip it, and ends what waits for a code', async () => {
    const { account, key } = await addProtected()
    const visitor = createCtx(runtime, site)
    const begun = await beginSignIn(visitor, { email: account.email, password: PASSWORD }, undefined)
    await requestPasswordReset(visitor, { email: account.email })
    const token = await requireMailedToken(runtime, site.id, account.email, 'reset-password')
    await resetPassword(visitor, { token, password: 'another-river-of-words' })
    later(30)
    const code = computeCode(key, runtime.now())
    await expect(completeSignIn(visitor, 'pending' in begun ? begun.pending : '', { code })).rejects.toMatchObject({
      code: 'sign-in-expired',
    })
    expect((await signIn(account.email, { password: 'another-river-of-words' })).codes).toEqual(['second-step-required'])
    expect((await signIn(account.email, { password: 'another-river-of-words', code })).status).toBe(201)
  })

  test('is also that of a platform administrator, on any site', async () => {
    const { account, key } = await addProtected({ role: 'platform_admin' })
    expect((await signIn(account.email)).codes).toEqual(['second-step-required'])
    later(30)
    expect((await signIn(account.email, { code: computeCode(key, runtime.now()) })).status).toBe(201)
  })
})

describe('changing it', () => {
  test('new recovery codes replace the former', async () => {
    const { account, ctx, codes } = await addProtected()
    const renewed = await renewRecoveryCodes(ctx)
    expect(renewed).toHaveLength(10)
    expect((await signIn(account.email, { code: codes[0] })).status).toBe(422)
    expect((await signIn(account.email, { code: renewed[0] })).status).toBe(201)
  })

  test('without the app, the password is enough again, and the person is told', async () => {
    const { account, ctx, codes } = await addProtected()
    await removeApp(ctx)
    expect((await signIn(account.email)).status).toBe(201)
    expect((await signIn(account.email, { code: codes[0] })).status).toBe(201)
    expect((await loadMailsTo(runtime, site.id, account.email)).at(-1)?.kind).toBe('second-step-off')
  })

  test('takes a fresh second step, for which the password is not enough', async () => {
    const { token, key } = await addProtected()
    later(16 * 60)
    const ctx = await withViewer(createCtx(runtime, site), token)
    await expect(removeApp(ctx)).rejects.toMatchObject({ code: 'fresh-sign-in-required' })
    await expect(renewRecoveryCodes(ctx)).rejects.toMatchObject({ code: 'fresh-sign-in-required' })
    const confirm = (attributes: Record<string, unknown>) =>
      createApiClient(runtime, site, token).post('/session-confirmations', buildResourceDocument('session-confirmations', attributes))
    expect((await confirm({ password: PASSWORD })).codes).toEqual(['required'])
    expect((await confirm({ code: computeCode(key, runtime.now()) })).status).toBe(201)
    await removeApp(await withViewer(createCtx(runtime, site), token))
  })

  test('who lost it all is let in again by the person who runs the machine, is signed out and told', async () => {
    const { account, token } = await addProtected()
    const operator = createCtx(runtime, site)
    expect(await resetSecondStep(operator, account.email)).toBe(true)
    expect(await resetSecondStep(operator, account.email)).toBe(false)
    expect((await loadMailsTo(runtime, site.id, account.email)).at(-1)?.kind).toBe('second-step-off')
    expect((await createApiClient(runtime, site, token).get('/current-user')).status).toBe(401)
    expect((await signIn(account.email)).status).toBe(201)
  })

  test('the app still works after the keys of the installation were changed', async () => {
    const { account, key } = await addProtected()
    const keys = ['a newer key of this installation', runtime.secret]
    expect((await resealAll(runtime.database, keys)).lost).toBe(0)
    later(30)
    runtime.keys = ['a newer key of this installation']
    const answer = await signIn(account.email, { code: computeCode(key, runtime.now()) })
    await resealAll(runtime.database, [runtime.secret, ...runtime.keys])
    delete runtime.keys
    expect(answer.status).toBe(201)
  })

  test('is in the person’s own data, without secrets', async () => {
    const { ctx, key, codes } = await addProtected()
    const data = JSON.stringify(await readOwnData(ctx))
    expect(JSON.parse(data)).toMatchObject({
      secondStep: { since: start.toISOString(), app: { since: start.toISOString() }, recoveryCodes: { left: 10 } },
    })
    for (const secret of [key.replaceAll(' ', ''), ...codes]) expect(data).not.toContain(secret)
  })
})
