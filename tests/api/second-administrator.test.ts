import { and, eq } from 'drizzle-orm'
import { beforeEach, beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { ProviderState } from '#app/lib/vocabulary/identity.ts'
import { memberships } from '#app/server/db/schema/accounts.ts'
import { identityProviders, identityRoleRules } from '#app/server/db/schema/identity.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type Account, addAccount, loadMailsTo, requireItem, requireItems } from '#tests/support/accounts.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import type { Person } from '#tests/support/people.ts'

/** A provider that gives roles, or a change of what it gives them by, takes effect once a second site administrator agrees. */
let runtime: TestRuntime
let site: Site
let ana: Account
let bo: Account

const RULES = [{ group: 'staff', role: 'site_admin', hub: null, project: null }]
const OTHER_RULES = [{ group: 'everybody', role: 'site_admin', hub: null, project: null }]

interface Provider {
  id: string
  attributes: {
    name: string
    state: ProviderState
    roleRules: { group: string }[]
    waitingChange: { id: string; askedBy: string; isOwn: boolean; changes: { name: string; from: unknown; to: unknown }[] } | null
  }
  meta: { lockVersion: number }
}

const as = (person: Person) => createApiClient(runtime, site, person.token)
const read = async (id: string, person: Person = ana): Promise<Provider> =>
  (await as(person).get(`/identity-providers/${id}`)).body?.data as Provider

async function change(id: string, attributes: Record<string, unknown>, person: Person = ana): Promise<ApiAnswer> {
  const { meta } = await read(id, person)
  const answer = await as(person).patch(
    `/identity-providers/${id}`,
    buildResourceDocument('identity-providers', attributes, { id, lockVersion: meta.lockVersion }),
  )
  expect(answer.codes).toEqual([])
  return answer
}

const agree = (changeId: string, person: Person) =>
  as(person).post(
    '/identity-provider-agreements',
    buildResourceDocument('identity-provider-agreements', {}, { to: { change: { type: 'identity-provider-changes', id: changeId } } }),
  )
const refuse = (changeId: string, person: Person) => as(person).delete(`/identity-provider-changes/${changeId}`)

/** A provider that passed its test, in a state. */
async function addProvider(state: ProviderState, roleRules: unknown[] = []): Promise<string> {
  const attributes = {
    name: 'Council account',
    issuer: 'https://login.example.org',
    clientId: 'parley',
    clientSecret: 'a secret',
    roleRules,
  }
  const { id } = requireItem(await as(ana).post('/identity-providers', buildResourceDocument('identity-providers', attributes)))
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.update(identityProviders).set({ state, testedAt: new Date(), makerId: ana.id }).where(eq(identityProviders.id, id)))
  return id
}

async function removeRole({ id }: Person): Promise<void> {
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.delete(memberships).where(and(eq(memberships.siteId, site.id), eq(memberships.userId, id))))
}

const readGroups = async (id: string) => {
  const rows = await runtime.database
    .site(site.id)
    .tx((tx) => tx.select().from(identityRoleRules).where(eq(identityRoleRules.providerId, id)))
  return rows.map(({ groupName }) => groupName)
}

const listKinds = async ({ email }: Person) => (await loadMailsTo(runtime, site.id, email)).map(({ kind }) => kind)

beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  site = await addSite(runtime, { slug: `s${createId()}` })
  ana = await addAccount(runtime, site, { role: 'site_admin', login: 'Ana' })
  bo = await addAccount(runtime, site, { role: 'site_admin', login: 'Bo', locale: 'fr-CA' })
})

describe('where one person administers the site', () => {
  beforeEach(() => removeRole(bo))

  test('a provider with rules becomes active at once, and new rules take effect at once', async () => {
    const id = await addProvider('testing', RULES)
    await change(id, { state: 'active' })
    await change(id, { roleRules: OTHER_RULES })
    expect((await read(id)).attributes).toMatchObject({ state: 'active', waitingChange: null })
    expect(await readGroups(id)).toEqual(['everybody'])
  })

  test('somebody who is only invited is no second administrator: they could not agree', async () => {
    await as(ana).post('/memberships', buildResourceDocument('memberships', { role: 'site_admin', email: 'invited@riverbend.example' }))
    const id = await addProvider('testing', RULES)
    await change(id, { state: 'active' })
    expect((await read(id)).attributes.state).toBe('active')
  })
})

describe('where two people administer the site', () => {
  test('a provider with rules waits, and becomes active when the second one agrees', async () => {
    const id = await addProvider('testing', RULES)
    await change(id, { state: 'active' })
    const { attributes } = await read(id, bo)
    expect(attributes.state).toBe('testing')
    expect(attributes.waitingChange).toMatchObject({
      askedBy: 'Ana',
      isOwn: false,
      changes: [{ name: 'state', from: 'testing', to: 'active' }],
    })
    expect((await read(id, ana)).attributes.waitingChange?.isOwn).toBe(true)
    expect((await agree(attributes.waitingChange?.id ?? '', bo)).status).toBe(201)
    expect((await read(id)).attributes).toMatchObject({ state: 'active', waitingChange: null })
  })

  test('the API refuses the agreement of the one who asked', async () => {
    const id = await addProvider('testing', RULES)
    await change(id, { state: 'active' })
    const own = await agree((await read(id)).attributes.waitingChange?.id ?? '', ana)
    expect([own.status, own.codes]).toEqual([403, ['forbidden']])
    expect((await read(id)).attributes.state).toBe('testing')
  })

  test('no program agrees', async () => {
    const id = await addProvider('testing', RULES)
    await change(id, { state: 'active' })
    const expiresAt = new Date(Date.now() + 864e5).toISOString()
    const made = await as(bo).post(
      '/api-tokens',
      buildResourceDocument('api-tokens', { name: 'All', scopes: ['content:write'], expiresAt }),
    )
    const token = String(requireItem(made).attributes['token'])
    const { waitingChange } = (await read(id)).attributes
    expect((await agree(waitingChange?.id ?? '', { ...bo, token })).status).toBe(403)
    expect((await read(id)).attributes.state).toBe('testing')
  })

  test.each([
    ['its rules', { roleRules: OTHER_RULES }, ['roleRules']],
    ['taking its rules away', { roleRules: [] }, ['roleRules']],
    ['its secret', { clientSecret: 'another secret' }, ['clientSecret']],
    ['its client', { clientId: 'another' }, ['clientId']],
    ['its claims', { claims: { email: 'email', name: 'name', groups: 'department' } }, ['claims']],
    ['who gets an account', { createsAccounts: true, provesEmail: true }, ['createsAccounts', 'provesEmail']],
    ['allowed domains', { allowedDomains: ['riverbend.example'] }, ['allowedDomains']],
  ])('of an active provider, %s waits, and the former stays in force', async (_, attributes, names) => {
    const id = await addProvider('active', RULES)
    const before = (await read(id, bo)).attributes
    await change(id, attributes)
    const after = (await read(id, bo)).attributes
    expect(after.waitingChange?.changes.map(({ name }) => name).toSorted()).toEqual(names)
    expect({ ...after, waitingChange: null }).toEqual(before)
    expect(await readGroups(id)).toEqual(['staff'])
    expect((await agree(after.waitingChange?.id ?? '', bo)).status).toBe(201)
    const shown = (await read(id)).attributes
    expect(shown.waitingChange).toBeNull()
    const { clientSecret: _secret, ...visible } = attributes as Record<string, unknown>
    expect(shown).toMatchObject(visible)
  })

  test('the secret that waits is told to nobody, and is the one in use after the agreement', async () => {
    const id = await addProvider('active', RULES)
    const readSealed = async () => {
      const [row] = await runtime.database.site(site.id).tx((tx) => tx.select().from(identityProviders).where(eq(identityProviders.id, id)))
      return row
    }
    const former = (await readSealed())?.sealedSecret
    await change(id, { clientSecret: 'another secret' })
    expect((await readSealed())?.sealedSecret).toBe(former)
    const { waitingChange } = (await read(id, bo)).attributes
    expect(JSON.stringify(await read(id, bo))).not.toContain('another secret')
    await agree(waitingChange?.id ?? '', bo)
    const row = await readSealed()
    const { openClientSecret } = await import('#app/features/identity/provider-secrets.server.ts')
    expect(row && openClientSecret(await ana.ctx(), row)).toBe('another secret')
  })

  test('its name, and settings of a provider without rules, wait for nobody; the first rules do', async () => {
    const id = await addProvider('active', RULES)
    await change(id, { name: 'Council' })
    expect((await read(id)).attributes).toMatchObject({ name: 'Council', waitingChange: null })
    const bare = await addProvider('active')
    await change(bare, { clientId: 'another' })
    expect((await read(bare)).attributes.waitingChange).toBeNull()
    await change(bare, { roleRules: RULES })
    expect((await read(bare)).attributes.waitingChange?.changes.map(({ name }) => name)).toEqual(['roleRules'])
    expect(await readGroups(bare)).toEqual([])
  })

  test('saving a page on which nothing was changed asks for nothing', async () => {
    const id = await addProvider('active', RULES)
    await change(id, { claims: { email: 'email', name: 'name', groups: 'groups' }, roleRules: RULES, createsAccounts: false })
    expect((await read(id)).attributes.waitingChange).toBeNull()
  })

  test('what would be refused is refused when it is asked for', async () => {
    const id = await addProvider('active', RULES)
    const { meta } = await read(id)
    const rules = [{ group: 'staff', role: 'hub_admin', hub: createId(), project: null }]
    const document = buildResourceDocument('identity-providers', { roleRules: rules }, { id, lockVersion: meta.lockVersion })
    expect((await as(ana).patch(`/identity-providers/${id}`, document)).codes).toEqual(['not-a-choice'])
    expect((await read(id)).attributes.waitingChange).toBeNull()
  })

  test('the newest change waits, and an agreement to the former is void', async () => {
    const id = await addProvider('active', RULES)
    await change(id, { roleRules: OTHER_RULES })
    const former = (await read(id)).attributes.waitingChange?.id ?? ''
    await change(id, { roleRules: [] })
    const newest = (await read(id)).attributes.waitingChange?.id ?? ''
    expect(newest).not.toBe(former)
    expect((await agree(former, bo)).status).toBe(404)
    expect(await readGroups(id)).toEqual(['staff'])
    await agree(newest, bo)
    expect(await readGroups(id)).toEqual([])
  })

  test('who asked first may agree to what the other one asked instead', async () => {
    const id = await addProvider('active', RULES)
    await change(id, { roleRules: [] }, ana)
    await change(id, { roleRules: OTHER_RULES }, bo)
    const { waitingChange } = (await read(id)).attributes
    expect((await agree(waitingChange?.id ?? '', bo)).status).toBe(403)
    expect((await agree(waitingChange?.id ?? '', ana)).status).toBe(201)
    expect(await readGroups(id)).toEqual(['everybody'])
  })

  test('of two agreements at the same time one counts', async () => {
    const cy = await addAccount(runtime, site, { role: 'site_admin' })
    const id = await addProvider('testing', RULES)
    await change(id, { state: 'active' })
    const changeId = (await read(id)).attributes.waitingChange?.id ?? ''
    const answers = await Promise.all([agree(changeId, bo), agree(changeId, cy), agree(changeId, bo)])
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 201 && status !== 404 && status !== 409)).toEqual([])
    expect((await read(id)).attributes.state).toBe('active')
  })

  test('it is void if the one who asked administers the site no longer', async () => {
    const id = await addProvider('testing', RULES)
    await change(id, { state: 'active' })
    const changeId = (await read(id)).attributes.waitingChange?.id ?? ''
    await removeRole(ana)
    expect((await read(id, bo)).attributes.waitingChange).toBeNull()
    expect((await agree(changeId, bo)).status).toBe(404)
    expect((await read(id, bo)).attributes.state).toBe('testing')
  })

  test('if the second one is removed meanwhile, who asked saves again and it takes effect at once', async () => {
    const id = await addProvider('testing', RULES)
    await change(id, { state: 'active' })
    const changeId = (await read(id)).attributes.waitingChange?.id ?? ''
    await removeRole(bo)
    expect((await agree(changeId, bo)).status).toBe(403)
    await change(id, { state: 'active' })
    expect((await read(id)).attributes).toMatchObject({ state: 'active', waitingChange: null })
  })

  test('the second one refuses, and who asked takes it back', async () => {
    const id = await addProvider('active', RULES)
    for (const person of [bo, ana]) {
      await change(id, { roleRules: OTHER_RULES })
      const { waitingChange } = (await read(id)).attributes
      expect((await refuse(waitingChange?.id ?? '', person)).status).toBe(204)
      expect((await read(id)).attributes.waitingChange).toBeNull()
      expect((await agree(waitingChange?.id ?? '', bo)).status).toBe(404)
    }
    expect(await readGroups(id)).toEqual(['staff'])
  })

  test('nobody agrees to an activation whose rules were changed after it was asked for', async () => {
    const id = await addProvider('testing', RULES)
    await change(id, { state: 'active' })
    const changeId = (await read(id)).attributes.waitingChange?.id ?? ''
    await change(id, { roleRules: OTHER_RULES })
    expect((await agree(changeId, bo)).status).toBe(404)
    expect((await read(id)).attributes.state).toBe('testing')
  })

  test('suspending takes effect at once, and what waited is void', async () => {
    const id = await addProvider('active', RULES)
    await change(id, { roleRules: OTHER_RULES })
    await change(id, { state: 'suspended' })
    expect((await read(id)).attributes).toMatchObject({ state: 'suspended', waitingChange: null })
    await change(id, { state: 'active' })
    expect((await read(id)).attributes.state).toBe('suspended')
  })
})

describe('all site administrators are told by email, in their language', () => {
  test('that a provider was added, waits, became active and was changed', async () => {
    const id = await addProvider('testing', RULES)
    await change(id, { state: 'active' })
    await agree((await read(id)).attributes.waitingChange?.id ?? '', bo)
    await change(id, { roleRules: OTHER_RULES })
    await agree((await read(id)).attributes.waitingChange?.id ?? '', bo)
    const kinds = ['provider-added', 'provider-waits', 'provider-activated', 'provider-waits', 'provider-changed']
    for (const person of [ana, bo]) expect(await listKinds(person)).toEqual(kinds)
    const [added, waits] = await loadMailsTo(runtime, site.id, bo.email)
    expect(added?.subject).toBe(`Le fournisseur de connexion Council account a été ajouté à ${site.name}`)
    expect(waits?.bodyText).toContain(`/admin/sign-in/${id}`)
    expect(waits?.bodyText).toContain('Ana veut changer')
  })

  test('of a new site administrator', async () => {
    await as(ana).post('/memberships', buildResourceDocument('memberships', { role: 'site_admin', email: 'new@riverbend.example' }))
    for (const person of [ana, bo]) expect(await listKinds(person)).toEqual(['site-admin-added'])
  })

  test('of a support grant, of which the platform’s administrators get an email too', async () => {
    const guest = await addAccount(runtime, site, { role: 'platform_admin' })
    await as(ana).post('/support-grants', buildResourceDocument('support-grants', { reason: 'A chart is wrong' }))
    for (const person of [ana, bo]) expect(await listKinds(person)).toEqual(['support-granted'])
    const [mail] = await loadMailsTo(runtime, PLATFORM_SITE_ID, guest.email)
    expect(mail?.subject).toContain(`${site.name} gives you support access until`)
    expect(mail?.bodyText).toContain('A chart is wrong')
  })

  test('of a support grant, which the platform’s administrators see as a notification and in their list until it ends', async () => {
    const guest = await addAccount(runtime, site, { role: 'platform_admin' })
    const grants = async (person: Person) =>
      (await as(person).get('/open-support-grants')).body?.data as { attributes: object }[] | undefined
    const mine = async () => (await grants(guest))?.filter(({ attributes }) => JSON.stringify(attributes).includes(site.name))
    const { id } = requireItem(
      await as(ana).post('/support-grants', buildResourceDocument('support-grants', { reason: 'A chart is wrong' })),
    )
    expect(await mine()).toEqual([
      expect.objectContaining({
        attributes: expect.objectContaining({ siteName: site.name, reason: 'A chart is wrong', grantedBy: 'Ana' }) as object,
      }),
    ])
    const news = requireItems(await as(guest).get('/notifications')).filter(({ attributes }) => attributes['subject'] === site.id)
    expect(news.map(({ attributes }) => [attributes['kind'], attributes['title'], attributes['read']])).toEqual([
      ['support-granted', site.name, false],
    ])
    const read = buildResourceDocument('notifications', { read: true }, { id: news[0]?.id ?? '' })
    expect((await as(guest).patch(`/notifications/${news[0]?.id}`, read)).status).toBe(200)
    expect(requireItem(await as(guest).get(`/notifications/${news[0]?.id}`)).attributes['read']).toBe(true)
    // Nobody else is told of the platform's news.
    expect(requireItems(await as(ana).get('/notifications')).map(({ attributes }) => attributes['kind'])).not.toContain('support-granted')
    expect(await grants(ana)).toBeUndefined()
    expect((await as(ana).delete(`/support-grants/${id}`)).status).toBe(204)
    expect(await mine()).toEqual([])
  })

  test('of codes for letters', async () => {
    const letters = { name: 'Spring mailing', level: 'resident', count: 3, validUntil: '2999-01-01T00:00:00Z' }
    const made = await as(ana).post('/code-batches', buildResourceDocument('code-batches', letters))
    expect(made.status).toBe(201)
    const [mail] = await loadMailsTo(runtime, site.id, bo.email)
    expect(mail?.kind).toBe('codes-made')
    expect(mail?.bodyText).toContain('Spring mailing')
    for (const code of requireItem(made).attributes['codes'] as string[]) expect(mail?.bodyText).not.toContain(code)
  })
})
