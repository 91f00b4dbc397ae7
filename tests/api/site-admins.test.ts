import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { memberships, supportGrants, users } from '#app/server/db/schema/accounts.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAccount, requireItems, loadMailsTo, PASSWORD } from '#tests/support/accounts.ts'
import { createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let platform: Person

const api = (person: Person) => createApiClient(runtime, site, person.token)
const user = (id: string) => ({ user: { type: 'users', id } })
const give = (by: Person, email: string) =>
  api(by).post('/memberships', buildResourceDocument('memberships', { role: 'site_admin', email }))
const block = (by: Person, whom: Person) =>
  api(by).post('/user-blocks', buildResourceDocument('user-blocks', { reason: 'Left the city' }, { to: user(whom.id) }))
const erase = (by: Person, whom: Person) =>
  api(by).post('/account-deletions', buildResourceDocument('account-deletions', { reason: 'Left the city' }, { to: user(whom.id) }))
const merge = (by: Person, from: Person, into: Person) =>
  api(by).post(
    '/user-merges',
    buildResourceDocument('user-merges', {}, { to: { from: { type: 'users', id: from.id }, into: { type: 'users', id: into.id } } }),
  )

const holders = async (): Promise<string[]> => {
  const rows = await runtime.database.site(site.id).tx((tx) =>
    tx
      .select({ userId: memberships.userId })
      .from(memberships)
      .where(and(eq(memberships.siteId, site.id), eq(memberships.role, 'site_admin'))),
  )
  return rows.map(({ userId }) => userId)
}

async function take(by: Person, from: Person) {
  const held = await runtime.database
    .site(site.id)
    .tx((tx) => tx.select({ id: memberships.id }).from(memberships).where(eq(memberships.userId, from.id)))
  return api(by).delete(`/memberships/${held[0]?.id}`)
}

beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  site = await addSite(runtime, { slug: `s-${createId()}` })
  platform = await addPerson(runtime, site, { role: 'platform_admin' })
})

describe('the platform', () => {
  test('appoints the first administrator of a site, and no others afterwards', async () => {
    expect((await give(platform, 'first@riverbend.example')).status).toBe(201)
    expect(await give(platform, 'second@riverbend.example')).toMatchObject({ status: 403, codes: ['first-site-admin-only'] })
    expect(await holders()).toHaveLength(1)
    expect(await loadMailsTo(runtime, site.id, 'second@riverbend.example')).toEqual([])
    // An expired invitation is no dead end: its reader can request another link.
    await createApiClient(runtime, site).post(
      '/password-resets',
      buildResourceDocument('password-resets', { email: 'first@riverbend.example' }),
    )
    const kinds = (await loadMailsTo(runtime, site.id, 'first@riverbend.example')).map(({ kind }) => kind)
    expect(kinds).toEqual(['invitation', 'reset-password'])
  })

  test('appoints only one under concurrent requests', async () => {
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => give(platform, `${name}@riverbend.example`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403, 403])
    expect(await holders()).toHaveLength(1)
  })

  test('cannot add or remove site administrators, even with a support grant', async () => {
    const ann = await addPerson(runtime, site, { role: 'site_admin' })
    const bob = await addPerson(runtime, site, { role: 'site_admin' })
    await runtime.database
      .site(site.id)
      .tx((tx) =>
        tx.insert(supportGrants).values({ siteId: site.id, id: createId(), grantedBy: ann.id, expiresAt: new Date(Date.now() + 864e5) }),
      )
    expect((await give(platform, 'own@platform.example')).codes).toEqual(['first-site-admin-only'])
    expect((await take(platform, bob)).status).toBe(403)
    // The platform cannot see the people of a site.
    for (const answer of [await block(platform, bob), await erase(platform, bob), await merge(platform, ann, bob)])
      expect([403, 404]).toContain(answer.status)
    expect((await holders()).toSorted()).toEqual([ann.id, bob.id].toSorted())
  })
})

describe('the last site administrator', () => {
  test('cannot be removed by any means', async () => {
    const ann = await addAccount(runtime, site, { role: 'site_admin' })
    const invited = await give(ann, 'invited@riverbend.example')
    expect(invited.status).toBe(201)
    const participant = await addPerson(runtime, site)
    await block(ann, participant)
    const refused = { status: 409, codes: ['last-site-admin'] }
    expect(await take(ann, ann)).toMatchObject(refused)
    expect(await api(ann).post('/account-deletions', buildResourceDocument('account-deletions', { password: PASSWORD }))).toMatchObject(
      refused,
    )
    const other = await addPerson(runtime, site, { role: 'site_admin' })
    await block(other, ann)
    expect(await merge(other, ann, participant)).toMatchObject({ status: 201 })
    expect(await take(other, other)).toMatchObject(refused)
    expect((await holders()).includes(other.id)).toBe(true)
  })

  test('can be merged into another account, which then administers the site, but not into a blocked one', async () => {
    const [ann, bob, eve] = [
      await addPerson(runtime, site, { role: 'site_admin' }),
      await addPerson(runtime, site, { role: 'site_admin' }),
      await addPerson(runtime, site),
    ]
    await block(ann, eve)
    // Allowed on others only: nobody can merge their own account away.
    expect((await merge(ann, bob, eve)).status).toBe(201)
    expect((await holders()).toSorted()).toEqual([ann.id, eve.id].toSorted())
    expect((await take(ann, ann)).codes).toEqual(['last-site-admin'])
  })

  test.each([
    ['take the role from each other', take],
    ['block each other', block],
    ['erase each other', erase],
  ])('is kept if two %s at once', async (_, act) => {
    for (let round = 0; round < 3; round++) {
      site = await addSite(runtime, { slug: `s-${createId()}` })
      const [ann, bob] = [await addPerson(runtime, site, { role: 'site_admin' }), await addPerson(runtime, site, { role: 'site_admin' })]
      const answers = await Promise.all([act(ann, bob), act(bob, ann)])
      expect(answers.filter(({ status }) => status < 300).length).toBeLessThanOrEqual(1)
      const able = await runtime.database.site(site.id).tx((tx) => tx.select().from(users).where(eq(users.siteId, site.id)))
      const held = new Set(await holders())
      expect(able.filter(({ id, blockedAt }) => held.has(id) && !blockedAt)).toHaveLength(1)
    }
  })
})

describe('all site administrators are notified', () => {
  const kinds = async (person: { email: string }) => (await loadMailsTo(runtime, site.id, person.email)).map(({ kind }) => kind)
  const told = async (person: Person) =>
    requireItems(await api(person).get('/notifications')).map(({ attributes }) => [attributes['kind'], attributes['title']])

  test('when one is added or removed, by email and in the app', async () => {
    const ann = await addPerson(runtime, site, { role: 'site_admin', email: 'ann@riverbend.example' })
    const bob = await addPerson(runtime, site, { role: 'site_admin', email: 'bob@riverbend.example' })
    const eve = await addAccount(runtime, site, { email: 'eve@riverbend.example', login: 'Eve Roy' })
    expect((await give(ann, eve.email)).status).toBe(201)
    expect([await kinds(ann), await kinds(bob), await kinds(eve)]).toEqual([['site-admin-added'], ['site-admin-added'], ['role-given']])
    expect(await told(bob)).toEqual([['site-admin-added', 'Eve Roy']])
    expect(await told(ann)).toEqual([])

    expect((await take(bob, eve)).status).toBe(204)
    expect([await kinds(ann), await kinds(bob), await kinds(eve)]).toEqual([
      ['site-admin-added', 'site-admin-removed'],
      ['site-admin-added', 'site-admin-removed'],
      ['role-given', 'site-admin-removed'],
    ])
    expect((await told(ann))[0]).toEqual(['site-admin-removed', 'Eve Roy'])
  })

  test('when one is deleted or merged', async () => {
    const ann = await addPerson(runtime, site, { role: 'site_admin', email: 'ann@riverbend.example' })
    const bob = await addAccount(runtime, site, { role: 'site_admin', email: 'bob@riverbend.example', login: 'Bob Roy' })
    const cat = await addAccount(runtime, site, { role: 'site_admin', email: 'cat@riverbend.example', login: 'Cat Roy' })
    const participant = await addAccount(runtime, site, { email: 'dan@riverbend.example', login: 'Dan Roy' })
    expect((await erase(ann, bob)).status).toBe(201)
    expect((await merge(ann, cat, participant)).status).toBe(201)
    const subjects = (await loadMailsTo(runtime, site.id, ann.email)).map(({ subject }) => subject)
    expect(subjects).toEqual([
      `Bob Roy is no longer an administrator of ${site.name}`,
      `Dan Roy is now an administrator of ${site.name}`,
      `Cat Roy is no longer an administrator of ${site.name}`,
    ])
  })

  test('but not of changes to other people’s roles', async () => {
    const ann = await addPerson(runtime, site, { role: 'site_admin', email: 'ann@riverbend.example' })
    const eve = await addPerson(runtime, site, { email: 'eve@riverbend.example' })
    expect((await block(ann, eve)).status).toBe(201)
    expect((await erase(ann, eve)).status).toBe(201)
    expect(await kinds(ann)).toEqual([])
  })
})

describe('the first administrator of a site', () => {
  const list = (by: Person) => api(by).get(`/site-administrators?filter[site]=${site.id}`)
  const invite = (by: Person, email: string) =>
    api(by).post(
      '/site-administrators',
      buildResourceDocument('site-administrators', { email }, { to: { site: { type: 'sites', id: site.id } } }),
    )
  const handOver = (by: Person, id: string) =>
    api(by).post(
      '/site-invitations',
      buildResourceDocument('site-invitations', {}, { to: { administrator: { type: 'site-administrators', id } } }),
    )
  const idOf = (answer: { body?: unknown }) => (answer.body as { data: { id: string } }).data.id

  test('can be invited anew while the one before has not signed in, whose link then stops working', async () => {
    const first = await invite(platform, 'Mistyped@riverbend.example')
    expect(first).toMatchObject({ status: 201, body: { data: { attributes: { email: 'mistyped@riverbend.example', state: 'invited' } } } })
    const link = await handOver(platform, idOf(first))
    const { address } = (link.body as { data: { attributes: { address: string } } }).data.attributes
    const second = await invite(platform, 'right@riverbend.example')
    expect((await list(platform)).body).toMatchObject({
      meta: { total: 1, sendsMail: false },
      data: [{ id: idOf(second), attributes: { email: 'right@riverbend.example' } }],
    })
    const choose = (token: string) =>
      createApiClient(runtime, site).post(
        '/password-changes',
        buildResourceDocument('password-changes', { token, password: 'a-brand-new-password' }),
      )
    const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? ''
    expect((await choose(tokenOf(address))).codes).toEqual(['link-expired'])
    const again = await handOver(platform, idOf(second))
    expect((await choose(tokenOf((again.body as { data: { attributes: { address: string } } }).data.attributes.address))).status).toBe(201)
    // Once someone can sign in, only the site's own administrators decide.
    expect((await invite(platform, 'third@riverbend.example')).codes).toEqual(['first-site-admin-only'])
    expect((await handOver(platform, idOf(second))).codes).toEqual(['conflict'])
  })

  test('is nobody else’s matter, and nobody who runs the platform', async () => {
    const ann = await addPerson(runtime, site, { role: 'site_admin' })
    expect((await list(ann)).status).toBe(403)
    expect((await invite(ann, 'bea@riverbend.example')).status).toBeGreaterThanOrEqual(403)
    expect((await invite(platform, platform.email)).codes).toEqual(['platform-address'])
    await give(ann, 'invited@riverbend.example')
    const waiting = (await list(platform)).body as unknown as { data: { id: string; attributes: { state: string } }[] }
    const invited = waiting.data.find(({ attributes }) => attributes.state === 'invited')
    // Its link would let the platform into a site that has an administrator.
    expect((await handOver(platform, invited?.id ?? '')).codes).toEqual(['first-site-admin-only'])
  })
})
