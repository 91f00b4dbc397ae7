import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { beginAppSetup, confirmAppSetup, readSecondStep, removeApp } from '#app/features/accounts/second-step/second-step.server.ts'
import { openProviderSession } from '#app/features/identity/sign-in.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, withViewer } from '#app/server/context.ts'
import { identities, identityProviders } from '#app/server/db/schema/identity.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type Account, addAccount, loadMailsTo, PASSWORD, readToken, requireItem, requireItems } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
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

const findSite = async () => (await runtime.sites.find(site.host)) as Site
const as = async (token?: string) => createApiClient(runtime, await findSite(), token)
const signIn = async (email: string, attributes: Record<string, unknown> = {}) =>
  readToken(await (await as()).post('/sessions', buildResourceDocument('sessions', { email, password: PASSWORD, ...attributes })))
const loadCtx = async (token: string) => withViewer(createCtx(runtime, await findSite()), token)
const roleOf = async (token: string) => {
  const { attributes } = requireItem(await (await as(token)).get('/current-user'))
  return (attributes['user'] as { roleName: string }).roleName
}
const change = async (token: string, requiresSecondStep: boolean) =>
  (await as(token)).patch(`/sites/${site.id}`, buildResourceDocument('sites', { requiresSecondStep }, { id: site.id }))

/** A site administrator with an authenticator app, whose code of now was used. */
async function addProtected() {
  const account = await addAccount(runtime, site, { role: 'site_admin' })
  const token = await signIn(account.email)
  const ctx = await loadCtx(token)
  const { setup, key } = beginAppSetup(ctx)
  await confirmAppSetup(ctx, { setup, code: computeCode(key, runtime.now()) })
  return { account, token, key }
}

async function setUp(token: string): Promise<void> {
  const ctx = await loadCtx(token)
  const { setup, key } = beginAppSetup(ctx)
  await confirmAppSetup(ctx, { setup, code: computeCode(key, runtime.now()) })
}

describe('a site that requires two-step sign-in', () => {
  let boss: Awaited<ReturnType<typeof addProtected>>
  let other: Account
  let before: string
  beforeEach(async () => {
    boss = await addProtected()
    other = await addAccount(runtime, site, { role: 'site_admin' })
    before = await signIn(other.email)
    later(1)
    if ((await change(boss.token, true)).status !== 200) throw new Error('It cannot be required')
    later(2)
  })

  test('gives a role nothing from the next sign-in on, until the person has set it up', async () => {
    const token = await signIn(other.email)
    expect(await roleOf(token)).toBe('participant')
    const refused = await (await as(token)).get('/api-tokens')
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([403, expect.stringContaining('/account/two-step')])
    const patched = await (await as(token)).patch(`/sites/${site.id}`, buildResourceDocument('sites', { name: 'Theirs' }, { id: site.id }))
    expect(patched.status).toBe(403)
    expect(await readSecondStep(await loadCtx(token))).toMatchObject({ isOn: false, isOwed: true })
    await setUp(token)
    expect(await roleOf(token)).toBe('site_admin')
    expect(await readSecondStep(await loadCtx(token))).toMatchObject({ isOn: true, isOwed: false })
  })

  test('lets sessions go on that began before', async () => {
    expect(await roleOf(before)).toBe('site_admin')
  })

  test('withholds the role of somebody who removes their app', async () => {
    const token = await signIn(other.email)
    await setUp(token)
    await removeApp(await loadCtx(token))
    expect(await roleOf(token)).toBe('participant')
  })

  test('asks nothing of participants', async () => {
    const token = await signIn((await addAccount(runtime, site)).email)
    expect(await roleOf(token)).toBe('participant')
    expect(await loadCtx(token).then(readSecondStep)).toMatchObject({ isOn: false, isOwed: false })
  })

  test('leaves the second step of sign-ins through a provider to the provider', async () => {
    const there = await findSite()
    const ctx = createCtx(runtime, there)
    const now = runtime.now()
    const session = await runtime.database.site(site.id).tx(async (tx) => {
      const provider = { siteId: site.id, id: createId(), name: 'County', audience: 'staff', preset: 'generic', state: 'active' } as const
      const [row] = await tx
        .insert(identityProviders)
        .values({
          ...provider,
          issuer: 'https://id.county.example',
          clientId: 'parley',
          clientAuth: 'client-secret',
          updatedAt: now,
          makerId: boss.account.id,
          claims: {} as never,
          createdAt: now,
        })
        .returning()
      const identity = { siteId: site.id, id: createId(), providerId: provider.id, subject: 's', userId: other.id, linkedAt: now }
      await tx.insert(identities).values(identity)
      return openProviderSession(ctx, tx, row!, identity, { email: other.email, groups: [], session: undefined })
    })
    expect(await roleOf(session.token)).toBe('site_admin')
  })

  test('asks nothing any more once it is turned off', async () => {
    const token = await signIn(other.email)
    expect((await change(boss.token, false)).status).toBe(200)
    expect(await roleOf(token)).toBe('site_admin')
  })
})

describe('the requirement', () => {
  test('is made by somebody who has a second step, with a fresh sign-in, and is in the audit trail', async () => {
    const plain = await addAccount(runtime, site, { role: 'site_admin' })
    const refused = await change(await signIn(plain.email), true)
    expect([refused.status, refused.codes]).toEqual([422, ['own-second-step-missing']])
    const { token } = await addProtected()
    later(16)
    expect((await change(token, true)).codes).toEqual(['fresh-sign-in-required'])
    later(0)
    expect((await change(token, true)).status).toBe(200)
    expect(requireItem(await (await as(token)).get(`/sites/${site.id}`)).attributes).toMatchObject({ requiresSecondStep: true })
    const [event] = requireItems(await (await as(token)).get('/audit-events?filter[action]=sites'))
    expect(JSON.stringify(event?.attributes['detail'])).toContain('secondStepRequiredSince')
  })
})

describe('somebody’s second step that is lost', () => {
  const reset = async (token: string, id: string) =>
    (await as(token)).post('/second-step-resets', buildResourceDocument('second-step-resets', {}, { to: { user: { type: 'users', id } } }))

  test('is turned off by a site administrator: they are signed out and told, and the trail says who did it', async () => {
    const lost = await addProtected()
    const helper = await addAccount(runtime, site, { role: 'site_admin' })
    const token = await signIn(helper.email)
    const person = requireItem(await (await as(token)).get(`/users/${lost.account.id}`)) as unknown as { meta: { can: object } }
    expect(person.meta.can).toMatchObject({ resetSecondStep: true })
    const done = await reset(token, lost.account.id)
    expect(done.status, JSON.stringify(done.body)).toBe(201)
    expect((await (await as(lost.token)).get('/current-user')).status).toBe(401)
    expect((await loadMailsTo(runtime, site.id, lost.account.email)).at(-1)?.kind).toBe('second-step-off')
    expect(await roleOf(await signIn(lost.account.email))).toBe('site_admin')
    const [event] = requireItems(await (await as(token)).get('/audit-events?filter[action]=second-steps.delete'))
    expect(event?.attributes).toMatchObject({ action: 'second-steps.delete', detail: { method: 'all' } })
    expect((await reset(token, lost.account.id)).status, 'again').toBe(409)
  })

  test('is not turned off without a fresh sign-in, by others, for oneself or for nobody', async () => {
    const lost = await addProtected()
    const hub = await addAccount(runtime, site, { role: 'hub_admin' })
    expect((await reset(await signIn(hub.email), lost.account.id)).status, 'somebody they do not see').toBe(404)
    expect((await reset(lost.token, lost.account.id)).status).toBe(403)
    const helper = await addAccount(runtime, site, { role: 'site_admin' })
    const token = await signIn(helper.email)
    expect((await reset(token, createId())).status).toBe(404)
    later(16)
    expect((await reset(token, lost.account.id)).codes).toEqual(['fresh-sign-in-required'])
    const elsewhere = await addSite(runtime, { slug: `s${createId()}` })
    const stranger = await addAccount(runtime, elsewhere, { role: 'site_admin' })
    const foreign = createApiClient(runtime, elsewhere, stranger.token)
    const to = { user: { type: 'users', id: lost.account.id } }
    expect((await foreign.post('/second-step-resets', buildResourceDocument('second-step-resets', {}, { to }))).status).toBe(404)
    expect(await readSecondStep(await loadCtx(lost.token)), 'it is as it was').toMatchObject({ isOn: true })
    expect((await loadMailsTo(runtime, site.id, lost.account.email)).map(({ kind }) => kind)).not.toContain('second-step-off')
  })
})
