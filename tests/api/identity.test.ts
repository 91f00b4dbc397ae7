import { createHmac } from 'node:crypto'
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { handleBackChannelLogout } from '#app/features/identity/back-channel-logout.server.ts'
import { loadPendingSignIn } from '#app/features/identity/confirm-sign-in.server.ts'
import { serveFrontChannelLogout } from '#app/features/identity/front-channel-logout.server.ts'
import { SignInFault } from '#app/features/identity/sign-in-fault.server.ts'
import { recordRefusedSignIn, type SignInStep } from '#app/features/identity/sign-in.server.ts'
import { createCtx } from '#app/server/context.ts'
import { memberships, sessions, users } from '#app/server/db/schema/accounts.ts'
import { createId } from '#app/lib/uuid.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { identities, identityProviders } from '#app/server/db/schema/identity.ts'
import { profileAnswers } from '#app/server/db/schema/profile.ts'
import { verifications } from '#app/server/db/schema/verifications.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { startLyingProvider, startOpenIdProvider } from '#tests/support/openid-provider.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { readSignInFault, SignInBrowser } from '#tests/support/sign-in-browser.ts'

let runtime: TestRuntime
let site: Site
let harbour: Site
let admin: Person
let liar: Awaited<ReturnType<typeof startLyingProvider>>
const accounts = new Map<string, { email: string; email_verified: boolean; name: string; groups: string[] }>()
let real: Awaited<ReturnType<typeof startOpenIdProvider>>

interface Provider {
  id: string
  attributes: { state: string; callbackUrl: string; testedAt: string | null; waitingChange: { id: string } | null }
  meta: { lockVersion: number }
}
const one = (answer: ApiAnswer) => answer.body?.data as Provider
const as = (person: Person = admin, at: Site = site) => createApiClient(runtime, at, person.token)
class Browser extends SignInBrowser {
  constructor(person?: Person, at: Site = site) {
    super(runtime, at, person?.token)
  }
}

const faultOf = readSignInFault

async function addProvider(issuer: string, more: Record<string, unknown> = {}, person = admin, at = site): Promise<Provider> {
  const attributes = { name: 'Council account', issuer, clientId: 'parley', clientSecret: 'a secret of the council', ...more }
  const answer = await as(person, at).post('/identity-providers', buildResourceDocument('identity-providers', attributes))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return one(answer)
}

async function change(id: string, attributes: Record<string, unknown>, person = admin, at = site): Promise<ApiAnswer> {
  const { meta } = one(await as(person, at).get(`/identity-providers/${id}`))
  const document = buildResourceDocument('identity-providers', attributes, { id })
  return as(person, at).patch(`/identity-providers/${id}`, { data: { ...document.data, meta: { lockVersion: meta.lockVersion } } })
}

/** What the lying provider answers to a sign-in that a browser began. */
function honestClaims(address: URL, sub: string): JWTPayload {
  const now = Math.floor(Date.now() / 1000)
  return { iss: liar.issuer, aud: 'parley', sub, nonce: address.searchParams.get('nonce') ?? '', iat: now, exp: now + 300 }
}
const callback = (address: URL, more: Record<string, string> = {}) =>
  new URLSearchParams({ code: 'c', state: address.searchParams.get('state') ?? '', iss: liar.issuer, ...more })

/** A sign-in through the lying provider whose token is changed on the way. */
async function lie(browser: Browser, provider: string, sub: string, more: JWTPayload = {}): Promise<SignInStep> {
  const address = await browser.begin(provider)
  liar.answer(await liar.sign({ ...honestClaims(address, sub), ...more }))
  return browser.arrive(provider, callback(address))
}

/** A provider of the lying server that is tested and active. */
async function addActive(more: Record<string, unknown> = {}, person = admin, at = site): Promise<string> {
  const { id } = await addProvider(liar.issuer, more, person, at)
  expect((await change(id, { state: 'testing' }, person, at)).status).toBe(200)
  const browser = new Browser(person, at)
  const address = await browser.begin(id, 'test')
  liar.answer(
    await liar.sign({
      ...honestClaims(address, `tester of ${id}`),
      email: `tester@example.org`,
      ...(more['requiredAcr'] ? { acr: (more['requiredAcr'] as string[])[0] } : {}),
    }),
  )
  await browser.arrive(id, callback(address))
  const active = await change(id, { state: 'active' }, person, at)
  expect(active.status, JSON.stringify(active.body)).toBe(200)
  const { waitingChange } = one(active).attributes
  if (waitingChange) {
    const to = { change: { type: 'identity-provider-changes', id: waitingChange.id } }
    const second = as(await addPerson(runtime, at, { role: 'site_admin' }), at)
    expect(
      (await second.post('/identity-provider-agreements', buildResourceDocument('identity-provider-agreements', {}, { to }))).status,
    ).toBe(201)
  }
  return id
}

/** A person with a linked identity, linked by themselves. */
async function addLinked(provider: string, sub: string, options: Parameters<typeof addPerson>[2] = {}): Promise<Person> {
  const person = await addPerson(runtime, site, options)
  const browser = new Browser(person)
  const address = await browser.begin(provider, 'link')
  liar.answer(await liar.sign(honestClaims(address, sub)))
  await browser.arrive(provider, callback(address))
  await browser.confirm()
  return person
}

beforeAll(async () => {
  runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
  site = await addSite(runtime, { slug: 'riverbend' })
  harbour = await addSite(runtime, { slug: 'harbour' })
  admin = await addPerson(runtime, site, { role: 'site_admin', login: 'Ana' })
  liar = await startLyingProvider()
  real = await startOpenIdProvider(accounts)
})
afterAll(() => {
  liar.close()
  real.close()
})

/** A site has only so many. */
async function removeProviders(): Promise<void> {
  const listed = (await as().get('/identity-providers?page[size]=20')).body?.data as Provider[]
  for (const { id } of listed) await as().delete(`/identity-providers/${id}`)
}

describe('an office behind one address', () => {
  afterEach(removeProviders)
  const address = '192.0.2.200'
  const fromOffice = () => Object.assign(new Browser(), { address })

  test('signs in two hundred times in a few minutes, and still after somebody failed ten times', async () => {
    const provider = await addActive()
    await addLinked(provider, 'colleague')
    for (let failed = 0; failed < 10; failed++)
      expect(await faultOf(lie(fromOffice(), provider, 'colleague', { nonce: 'x' }))).toBe('wrong-nonce')
    for (let signedIn = 0; signedIn < 200; signedIn++) expect((await lie(fromOffice(), provider, 'colleague')).session).toBeDefined()
  })

  test('is slowed down after two hundred sign-ins that failed, and nobody elsewhere is', async () => {
    const provider = await addActive()
    await addLinked(provider, 'somebody')
    const outcomes = []
    for (let failed = 0; failed < 202; failed++)
      outcomes.push(
        await faultOf(Object.assign(new Browser(), { address: '192.0.2.201' }).arrive(provider, new URLSearchParams({ state: 'x' }))),
      )
    expect(new Set(outcomes.slice(0, 201))).toEqual(new Set(['started-elsewhere']))
    expect(outcomes.at(-1)).toBe('too-many')
    expect((await lie(fromOffice(), provider, 'somebody')).session).toBeDefined()
  })
})

describe('the client secret', () => {
  afterEach(removeProviders)
  const CLIENT = 'council:parley-1'
  const SECRET = 'a-b_c.d*e ~f+g/é%:'

  /** How the site authenticated when it asked for a token. @returns the fault that signing in ended in */
  async function authenticate(at: typeof liar, more: Record<string, unknown> = {}): Promise<string> {
    const { id } = await addProvider(at.issuer, { clientId: CLIENT, clientSecret: SECRET, ...more })
    await change(id, { state: 'testing' })
    const browser = new Browser(admin)
    const address = await browser.begin(id, 'test')
    at.answer(await at.sign({ ...honestClaims(address, 'ana'), iss: at.issuer, aud: CLIENT }))
    await browser.arrive(id, callback(address, { iss: at.issuer }))
    const { body } = await as().get(`/identity-provider-tests?filter[provider]=${id}`)
    const [test] = (body?.data ?? []) as {
      attributes: { fault: string | null }
    }[]
    return test?.attributes.fault ?? 'none'
  }

  // RFC 6749, 2.3.1 and appendix B: as form fields are encoded, where `-`, `_`, `.` and `*` stay as they are.
  test('is sent in Basic authentication encoded as the fields of a form are', async () => {
    expect(await authenticate(liar)).toBe('none')
    const [scheme, encoded = ''] = liar.token.authorization?.split(' ') ?? []
    expect(scheme).toBe('Basic')
    expect(Buffer.from(encoded, 'base64').toString()).toBe('council%3Aparley-1:a-b_c.d*e+%7Ef%2Bg%2F%C3%A9%25%3A')
  })

  test('is sent in the form to a provider that takes it only there', async () => {
    const other = await startLyingProvider()
    other.describe({ token_endpoint_auth_methods_supported: ['client_secret_post'] })
    expect(await authenticate(other)).toBe('none')
    expect(other.token.authorization).toBeUndefined()
    expect(new URLSearchParams(other.token.body).get('client_secret')).toBe(SECRET)
    other.close()
  })

  test('is sent in the form if the administrator says so, where a provider refuses Basic authentication', async () => {
    const other = await startLyingProvider()
    other.token.refusesBasic = true
    expect(await authenticate(other)).toBe('client-refused')
    expect(await authenticate(other, { clientAuth: 'client-secret-post' })).toBe('none')
    expect(new URLSearchParams(other.token.body).get('client_secret')).toBe(SECRET)
    other.close()
  })
})

describe('groups that arrive as one text', () => {
  afterEach(removeProviders)
  const RULES = [{ group: 'staff', role: 'project_admin', hub: null, project: null }]
  const tested = async (id: string, groups: unknown) => {
    await change(id, { state: 'testing' })
    const browser = new Browser(admin)
    const address = await browser.begin(id, 'test')
    liar.answer(await liar.sign({ ...honestClaims(address, `tester of ${id}`), groups }))
    await browser.arrive(id, callback(address))
    const { body } = await as().get(`/identity-provider-tests?filter[provider]=${id}`)
    const [test] = (body?.data ?? []) as { attributes: { groups: string[] } }[]
    return {
      read: test?.attributes.groups,
      separator: (one(await as().get(`/identity-providers/${id}`)).attributes as unknown as { groupSeparator: string }).groupSeparator,
    }
  }
  const addRuled = async (group = 'staff', more: Record<string, unknown> = {}) => {
    const { id: hub } = await addHub(runtime, site)
    return (await addProvider(liar.issuer, { roleRules: [{ ...RULES[0], group, role: 'hub_admin', hub }], ...more })).id
  }
  const rolesAfter = async (provider: string, person: Person, sub: string, groups: unknown) => {
    const fault = await faultOf(lie(new Browser(), provider, sub, { groups }))
    const held = await runtime.database.site(site.id).tx((tx) => tx.select().from(memberships).where(eq(memberships.userId, person.id)))
    return { fault, roles: held.map(({ role }) => role) }
  }

  test.each([
    ['users; staff', 'semicolon'],
    ['users;staff', 'semicolon'],
    ['users staff', 'space'],
    ['users, staff', 'comma'],
  ])('such as “%s” are told apart by the test, which shows them, and give their roles from then on', async (text, separator) => {
    const id = await addRuled()
    expect(await tested(id, text)).toEqual({ read: ['users', 'staff'], separator })
    expect((await change(id, { state: 'active' })).status).toBe(200)
    const person = await addLinked(id, `one ${text}`)
    expect(await rolesAfter(id, person, `one ${text}`, text)).toEqual({ fault: 'none', roles: ['hub_admin'] })
    expect(await rolesAfter(id, person, `one ${text}`, 'staff')).toEqual({ fault: 'none', roles: ['hub_admin'] })
    expect(await rolesAfter(id, person, `one ${text}`, 'users')).toEqual({ fault: 'none', roles: [] })
  })

  test('are one group if a rule names the whole text, whatever is in it', async () => {
    const id = await addRuled('Parks, trees and staff')
    expect(await tested(id, 'Parks, trees and staff')).toEqual({ read: ['Parks, trees and staff'], separator: 'none' })
  })

  test('neither give nor take a role while nothing shows whether they are several', async () => {
    const id = await addRuled()
    expect(await tested(id, ['staff', 'users'])).toEqual({ read: ['staff', 'users'], separator: 'guess' })
    await change(id, { state: 'active' })
    const person = await addLinked(id, 'unclear')
    expect(await rolesAfter(id, person, 'unclear', ['staff'])).toEqual({ fault: 'none', roles: ['hub_admin'] })
    expect(await rolesAfter(id, person, 'unclear', 'former staff')).toEqual({ fault: 'groups-unclear', roles: ['hub_admin'] })
    expect(await rolesAfter(id, person, 'unclear', 'users; staff')).toEqual({ fault: 'none', roles: ['hub_admin'] })
    expect(await rolesAfter(id, person, 'unclear', 'Everybody else')).toEqual({ fault: 'none', roles: [] })
  })

  test('are separated as the settings say, without a guess; a list never is by a guess', async () => {
    const id = await addRuled('staff', { groupSeparator: 'space' })
    expect(await tested(id, 'users staff')).toEqual({ read: ['users', 'staff'], separator: 'space' })
    const whole = await addRuled('staff', { groupSeparator: 'none' })
    expect(await tested(whole, 'users; staff')).toEqual({ read: ['users; staff'], separator: 'none' })
    expect(await tested(await addRuled(), ['former staff'])).toEqual({ read: ['former staff'], separator: 'guess' })
  })
})

test('signing in through a provider never deletes or changes a role that was given by hand', async () => {
  const { id: hub } = await addHub(runtime, site)
  const { id: other } = await addHub(runtime, site)
  const provider = await addActive({ roleRules: [{ group: 'parks', role: 'hub_admin', hub, project: null }] })
  const person = await addLinked(provider, 'by hand')
  const give = (hubId: string) => {
    const to = { user: { type: 'users', id: person.id }, hub: { type: 'hubs', id: hubId } }
    return as().post('/memberships', buildResourceDocument('memberships', { role: 'hub_admin' }, { to }))
  }
  for (const each of [hub, other]) expect((await give(each)).status).toBe(201)
  const load = async () => {
    const rows = await runtime.database.site(site.id).tx((tx) => tx.select().from(memberships).where(eq(memberships.userId, person.id)))
    return rows.map(({ id, hubId, providerId }) => ({ id, hubId, providerId })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }
  const given = await load()
  for (const groups of [['parks'], ['parks', 'x'], [], 'parks']) {
    expect((await lie(new Browser(), provider, 'by hand', { groups })).session).toBeDefined()
    expect((await load()).filter(({ providerId }) => providerId === null)).toEqual(given)
  }
  await change(provider, { state: 'suspended' })
  expect(await load()).toEqual(given)
  await removeProviders()
})

describe('with a real provider of OpenID Connect', () => {
  test('it is set up, tested and activated; staff link it, sign in with it and have the roles of their groups, until a group is left', async () => {
    const hub = await addHub(runtime, site)
    const rules = [{ group: 'planning', role: 'hub_admin', hub: hub.id, project: null }]
    const { id, attributes } = await addProvider(real.issuer, { clientAuth: 'private-key', clientSecret: undefined, roleRules: rules })
    const { listPublicKeys } = await import('#app/features/identity/provider-secrets.server.ts')
    const { loadProvidersById } = await import('#app/features/identity/read-providers.server.ts')
    const [row] = await loadProvidersById(await new Browser(admin).ctx(), [id])
    if (!row) throw new Error('The provider was not found again')
    const jwks = listPublicKeys(createCtx(runtime, site), row)
    expect(jwks.keys).toHaveLength(2)
    expect(JSON.stringify(jwks)).not.toContain('"d"')
    real.register({
      client_id: 'parley',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks,
      redirect_uris: [attributes.callbackUrl],
    })
    accounts.set('dana', { email: 'dana@riverbend.example', email_verified: true, name: 'Dana', groups: ['planning', 'all'] })
    const enter = async (browser: Browser, purpose: 'sign-in' | 'link' | 'test') => {
      const address = await browser.begin(id, purpose)
      expect([address.searchParams.get('code_challenge_method'), address.searchParams.get('response_type')]).toEqual(['S256', 'code'])
      return browser.arrive(id, (await real.signIn(address.href, 'dana')).searchParams)
    }

    expect((await change(id, { state: 'active' })).codes).toContain('conflict')
    await change(id, { state: 'testing' })
    expect((await change(id, { state: 'active' })).codes).toContain('not-tested')
    expect((await enter(new Browser(admin), 'test')).location).toBe(`/admin/sign-in/${id}`)
    const shown = (await as().get(`/identity-provider-tests?filter[provider]=${id}`)).body?.data as { attributes: object }[] | undefined
    expect(shown?.[0]?.attributes).toMatchObject({ fault: null, claims: { sub: 'dana', email: 'dana@riverbend.example' } })
    expect((await change(id, { state: 'active' })).status).toBe(200)

    const dana = await addPerson(runtime, site, { email: 'dana@riverbend.example', login: 'Dana' })
    const browser = new Browser(dana)
    await enter(browser, 'link')
    expect((await browser.confirm()).location).toContain('/account/sign-in-methods')

    const work = new Browser()
    expect((await enter(work, 'sign-in')).location).toBe('/en')
    expect(await work.viewer()).toMatchObject({ id: dana.id, roleName: 'hub_admin', roles: [{ role: 'hub_admin', hubId: hub.id }] })
    expect(await browser.viewer()).toMatchObject({ id: dana.id, roleName: 'participant' })
    const [opened] = await runtime.database.site(site.id).tx((tx) =>
      tx
        .select()
        .from(sessions)
        .where(and(eq(sessions.userId, dana.id), isNotNull(sessions.identityId))),
    )
    expect((opened?.endsAt?.getTime() ?? 0) - (opened?.createdAt.getTime() ?? 0)).toBeCloseTo(12 * 3_600_000, -3)
    runtime.setNow(new Date(Date.now() + 12 * 3_600_000 + 1000))
    expect((await work.viewer()).kind).toBe('visitor')
    runtime.setNow(undefined)

    accounts.set('dana', { email: 'dana@riverbend.example', email_verified: true, name: 'Dana', groups: ['all'] })
    await enter(work, 'sign-in')
    expect(await work.viewer()).toMatchObject({ id: dana.id, type: 'participant', roles: [] })
    const trail = await runtime.database.site(site.id).tx((tx) => tx.select().from(auditEvents))
    const actions = trail.filter(({ subjectId, actorId }) => subjectId === dana.id || actorId === dana.id).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['identities.link', 'memberships.create', 'memberships.delete', 'sessions.create']))
  })

  test('a provider that is being tested opens to nobody but its maker', async () => {
    const { id } = await addProvider(liar.issuer)
    const other = await addPerson(runtime, site, { role: 'site_admin' })
    expect(await faultOf(new Browser().begin(id))).toBe('not-active')
    await change(id, { state: 'testing' })
    expect(await faultOf(new Browser(other).begin(id, 'test'))).toBe('not-active')
    expect(await faultOf(lie(new Browser(), id, 'a stranger'))).toBe('not-active')
    const known = { siteId: site.id, id: createId(), providerId: id, subject: 'a colleague', userId: other.id, linkedAt: runtime.now() }
    await runtime.database.site(site.id).tx((tx) => tx.insert(identities).values(known))
    expect(await faultOf(lie(new Browser(), id, 'a colleague'))).toBe('not-active')
  })
})

describe('an answer that is not what was asked for signs nobody in', () => {
  let provider: string
  beforeAll(async () => {
    provider = await addActive()
    await addLinked(provider, 'eve')
  })

  test('the honest answer does', async () => {
    const browser = new Browser()
    await lie(browser, provider, 'eve')
    expect((await browser.viewer()).kind).toBe('user')
  })

  test.each<[string, JWTPayload, string]>([
    ['a wrong nonce', { nonce: 'another' }, 'wrong-nonce'],
    ['a wrong issuer', { iss: 'https://elsewhere.example' }, 'wrong-issuer'],
    ['another audience', { aud: 'another client' }, 'wrong-audience'],
    ['two audiences and another party', { aud: ['parley', 'x'], azp: 'x' }, 'wrong-audience'],
    ['an expired token', { exp: Math.floor(Date.now() / 1000) - 3600 }, 'expired'],
    ['a token issued in the future', { iat: Math.floor(Date.now() / 1000) + 180, exp: Math.floor(Date.now() / 1000) + 600 }, 'expired'],
    ['a token that holds only later', { nbf: Math.floor(Date.now() / 1000) + 180, exp: Math.floor(Date.now() / 1000) + 600 }, 'expired'],
  ])('%s', async (_name, claims, code) => {
    const browser = new Browser()
    expect(await faultOf(lie(browser, provider, 'eve', claims))).toBe(code)
    expect((await browser.viewer()).kind).toBe('visitor')
  })

  test('claims that leave the groups at another address: nobody would know which roles still hold', async () => {
    const groups = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example/groups' } } }
    const browser = new Browser()
    expect(await faultOf(lie(browser, provider, 'eve', groups))).toBe('groups-incomplete')
    expect((await browser.viewer()).kind).toBe('visitor')
  })

  test.each(['none', 'HS256'])('a token with the algorithm %s', async (alg) => {
    const browser = new Browser()
    const address = await browser.begin(provider)
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = `${encode({ alg, kid: 'one' })}.${encode(honestClaims(address, 'eve'))}`
    const signature = alg === 'none' ? '' : createHmac('sha256', JSON.stringify(liar.jwk)).update(signed).digest('base64url')
    liar.answer(`${signed}.${signature}`)
    expect(await faultOf(browser.arrive(provider, callback(address)))).toBe('wrong-signature')
  })

  test('a token whose payload was changed after it was signed', async () => {
    const browser = new Browser()
    const address = await browser.begin(provider)
    const [header, , signature] = (await liar.sign(honestClaims(address, 'somebody'))).split('.')
    liar.answer([header, Buffer.from(JSON.stringify(honestClaims(address, 'eve'))).toString('base64url'), signature].join('.'))
    expect(await faultOf(browser.arrive(provider, callback(address)))).toBe('wrong-signature')
  })

  test('no state, a wrong one, another issuer beside the code, or none', async () => {
    const arriveWith = async (build: (address: URL) => URLSearchParams) => {
      const browser = new Browser()
      const address = await browser.begin(provider)
      liar.answer(await liar.sign(honestClaims(address, 'eve')))
      return faultOf(browser.arrive(provider, build(address)))
    }
    expect(await arriveWith(() => new URLSearchParams({ code: 'c', iss: liar.issuer }))).toBe('started-elsewhere')
    expect(await arriveWith((address) => callback(address, { state: 'x'.repeat(43) }))).toBe('started-elsewhere')
    expect(await arriveWith((address) => callback(address, { iss: 'https://elsewhere.example' }))).toBe('wrong-issuer')
    expect(await arriveWith((address) => new URLSearchParams({ code: 'c', state: address.searchParams.get('state') ?? '' }))).toBe(
      'wrong-issuer',
    )
    expect(
      await arriveWith(
        (address) => new URLSearchParams({ error: 'access_denied', state: address.searchParams.get('state') ?? '', iss: liar.issuer }),
      ),
    ).toBe('cancelled')
  })

  test('a callback that another browser began, so that nobody is signed in to the account of an attacker', async () => {
    const attacker = new Browser()
    const address = await attacker.begin(provider)
    liar.answer(await liar.sign(honestClaims(address, 'eve')))
    const victim = new Browser()
    await victim.begin(provider)
    expect(await faultOf(victim.arrive(provider, callback(address)))).toBe('started-elsewhere')
    expect((await victim.viewer()).kind).toBe('visitor')
  })

  test('a callback that was used before', async () => {
    const browser = new Browser()
    const address = await browser.begin(provider)
    liar.answer(await liar.sign(honestClaims(address, 'eve')))
    await browser.arrive(provider, callback(address))
    expect(await faultOf(browser.arrive(provider, callback(address)))).toBe('used-before')
  })

  test('a sign-in that took longer than ten minutes', async () => {
    const browser = new Browser()
    const address = await browser.begin(provider)
    liar.answer(await liar.sign(honestClaims(address, 'eve')))
    runtime.setNow(new Date(Date.now() + 11 * 60_000))
    expect(await faultOf(browser.arrive(provider, callback(address)))).toBe('started-elsewhere')
    runtime.setNow(undefined)
  })

  test.each(['https://elsewhere.example/', '//elsewhere.example', String.raw`/\elsewhere.example`])(
    'it continues on this site only, not at %s',
    async (next) => {
      const browser = new Browser()
      const address = await browser.begin(provider, 'sign-in', next)
      liar.answer(await liar.sign(honestClaims(address, 'eve')))
      expect((await browser.arrive(provider, callback(address))).location).toBe('/en')
    },
  )
})

describe('the walls between sites', () => {
  test("another site's provider, state and cookies are refused: nobody is signed in", async () => {
    const other = await addPerson(runtime, harbour, { role: 'site_admin' })
    const theirs = await addActive({}, other, harbour)
    const ours = await addActive()
    await addLinked(ours, 'eve')
    expect(await faultOf(new Browser().begin(theirs))).toBe('not-active')
    const browser = new Browser(undefined, harbour)
    const address = await browser.begin(theirs)
    liar.answer(await liar.sign(honestClaims(address, 'eve')))
    const here = new Browser()
    for (const [name, value] of browser.cookies) here.cookies.set(name, value)
    expect(await faultOf(here.arrive(theirs, callback(address)))).toBe('started-elsewhere')
    expect(await faultOf(here.arrive(ours, callback(address)))).toBe('started-elsewhere')
    expect((await here.viewer()).kind).toBe('visitor')
    // The same subject of the same issuer is nobody on the other site.
    expect((await browser.arrive(theirs, callback(address))).location).toContain('/sign-in/requested')
    expect((await browser.viewer()).kind).toBe('visitor')
  })

  test("an address with another site's provider, or with any other id, leaves nothing in the audit trail", async () => {
    const other = await addPerson(runtime, harbour, { role: 'site_admin' })
    const [theirs, ours] = [await addActive({}, other, harbour), await addActive()]
    const ids = [theirs, createId(), ours]
    for (const id of ids) await recordRefusedSignIn(createCtx(runtime, site), id, new SignInFault('not-active', 'no such provider here'))
    const refused = await runtime.database.site(site.id).tx((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(inArray(auditEvents.subjectId, ids), eq(auditEvents.action, 'sessions.refuse'))),
    )
    expect(refused.map(({ subjectId }) => subjectId)).toEqual([ours])
  })
})

describe('an unknown subject', () => {
  const email = 'known@example.org'
  const said = { email, email_verified: true, name: 'Kim' }

  test('is never linked by an address that the provider does not prove, and asks the administrators instead', async () => {
    const person = await addPerson(runtime, site, { email })
    const provider = await addActive()
    const browser = new Browser()
    expect((await lie(browser, provider, 'kim', said)).location).toMatch(/\/sign-in\/requested\?reference=/)
    expect((await browser.viewer()).kind).toBe('visitor')
    const linked = await runtime.database.site(site.id).tx((tx) => tx.select().from(identities).where(eq(identities.userId, person.id)))
    expect(linked).toEqual([])
    const waiting = (await as().get('/identity-requests')).body?.data as { attributes: { email: string } }[] | undefined
    expect(waiting?.map(({ attributes }) => attributes.email)).toContain(email)
  })

  test('of a provider that proves addresses is linked to the account of that address once the person confirms, and not before', async () => {
    const person = await addPerson(runtime, site, { email: 'lea@example.org' })
    const provider = await addActive({ provesEmail: true })
    const lea = { email: 'lea@example.org', name: 'Lea' }
    expect((await lie(new Browser(), provider, 'lea-unverified', { ...lea, email_verified: false })).location).toContain('/requested')
    await addPerson(runtime, site, { email: 'unsure@example.org', confirmed: false })
    const unsure = { email: 'unsure@example.org', email_verified: true, name: 'Ben' }
    expect((await lie(new Browser(), provider, 'unsure', unsure)).location).toContain('/requested')
    const browser = new Browser()
    expect((await lie(browser, provider, 'lea', { ...lea, email_verified: true })).location).toContain('/sign-in/confirm')
    expect((await browser.viewer()).kind).toBe('visitor')
    await browser.confirm()
    expect(await browser.viewer()).toMatchObject({ id: person.id })
  })

  test('gets an account if an administrator lets it in', async () => {
    const provider = await addActive()
    await lie(new Browser(), provider, 'noor', { email: 'noor@example.org', email_verified: true, name: 'Noor' })
    const waiting = (await as().get('/identity-requests')).body?.data as { id: string; attributes: { name: string } }[] | undefined
    const id = waiting?.find(({ attributes }) => attributes.name === 'Noor')?.id ?? ''
    const to = { request: { type: 'identity-requests', id } }
    expect((await as().post('/identity-admissions', buildResourceDocument('identity-admissions', {}, { to }))).status).toBe(201)
    const browser = new Browser()
    await lie(browser, provider, 'noor')
    expect(await browser.viewer()).toMatchObject({ login: 'Noor', email: 'noor@example.org' })
  })

  test('of another domain is refused, also if its domain ends alike', async () => {
    const provider = await addProvider(liar.issuer, { allowedDomains: ['example.com'] })
    await change(provider.id, { state: 'testing' })
    const browser = new Browser(admin)
    const address = await browser.begin(provider.id, 'link')
    liar.answer(await liar.sign({ ...honestClaims(address, 'x'), email: 'x@evilexample.com', email_verified: true }))
    expect(await faultOf(browser.arrive(provider.id, callback(address)))).toBe('domain-refused')
  })

  test('of somebody who is blocked signs nobody in', async () => {
    const provider = await addActive()
    const { id } = await addLinked(provider, 'blocked')
    await runtime.database.site(site.id).tx((tx) =>
      tx
        .update(users)
        .set({ blockedAt: new Date() })
        .where(and(eq(users.siteId, site.id), eq(users.id, id))),
    )
    const browser = new Browser()
    expect(await faultOf(lie(browser, provider, 'blocked'))).toBe('blocked')
    expect((await browser.viewer()).kind).toBe('visitor')
  })

  test('has to reach the required level', async () => {
    const provider = await addActive({ requiredAcr: ['high'] })
    expect(await faultOf(lie(new Browser(), provider, 'x', { acr: 'low' }))).toBe('level-too-low')
  })
})

describe('the preset of Sign-In Canada', () => {
  const level = 'urn:gc-ca:cyber-auth:assurance:loa2'
  afterAll(removeProviders)

  test('is a draft whose issuer is left to fill in', async () => {
    const attributes = { preset: 'sign-in-canada', name: 'Sign-In Canada', clientId: 'parley' }
    const answer = await as().post('/identity-providers', buildResourceDocument('identity-providers', attributes))
    expect([answer.status, answer.codes]).toEqual([422, ['required']])
    const { id, attributes: made } = await addProvider(liar.issuer, { preset: 'sign-in-canada', clientSecret: undefined })
    expect(made).toMatchObject({ state: 'draft', clientAuth: 'private-key', requiredAcr: [level], provesEmail: false })
    expect(await faultOf(new Browser().begin(id))).toBe('not-active')
  })

  test('asks for its level, proves the site by a key, and signs in people of whom no address or name is said', async () => {
    const provider = await addActive({ preset: 'sign-in-canada', clientSecret: undefined, requiredAcr: [level], audience: 'residents' })
    const person = await addPerson(runtime, site)
    const browser = new Browser(person)
    const address = await browser.begin(provider, 'link')
    expect(address.searchParams.get('acr_values')).toBe(level)
    expect(await faultOf(lie(new Browser(), provider, 'maud', { acr: 'urn:gc-ca:cyber-auth:assurance:loa1' }))).toBe('level-too-low')
    liar.answer(await liar.sign({ ...honestClaims(address, 'maud'), acr: level }))
    await browser.arrive(provider, callback(address))
    expect([...new URLSearchParams(liar.token.body).keys()]).toEqual(expect.arrayContaining(['client_assertion', 'client_assertion_type']))
    expect(liar.token.authorization).toBeUndefined()
    await browser.confirm()
    const later = new Browser()
    await lie(later, provider, 'maud', { acr: level })
    expect(await later.viewer()).toMatchObject({ kind: 'user', id: person.id })
  })
})

describe('linking', () => {
  test('is confirmed by the person who began it, and takes no identity of somebody else', async () => {
    const provider = await addActive()
    await addLinked(provider, 'taken')
    const mallory = await addPerson(runtime, site)
    const browser = new Browser(mallory)
    const address = await browser.begin(provider, 'link')
    liar.answer(await liar.sign(honestClaims(address, 'taken')))
    expect(await faultOf(browser.arrive(provider, callback(address)))).toBe('linked-to-other')
    const again = await browser.begin(provider, 'link')
    liar.answer(await liar.sign(honestClaims(again, 'free')))
    await browser.arrive(provider, callback(again))
    browser.token = (await addPerson(runtime, site)).token
    expect(await faultOf(browser.confirm())).toBe('started-elsewhere')
  })

  test('can be undone, which ends the sessions opened with it', async () => {
    const provider = await addActive()
    const person = await addLinked(provider, 'uma')
    const browser = new Browser()
    await lie(browser, provider, 'uma')
    const own = (await as(person).get('/identities')).body?.data as { id: string }[] | undefined
    expect(own).toHaveLength(1)
    const id = own?.[0]?.id ?? ''
    expect((await as(await addPerson(runtime, site)).delete(`/identities/${id}`)).status).toBe(404)
    expect((await as(person).delete(`/identities/${id}`)).status).toBe(204)
    expect((await browser.viewer()).kind).toBe('visitor')
  })

  test('accounts with a role do not sign in through a provider for residents', async () => {
    const provider = await addActive({ audience: 'residents' })
    await addLinked(provider, 'rita', { role: 'site_admin' })
    expect(await faultOf(lie(new Browser(), provider, 'rita'))).toBe('staff-account')
  })
})

describe('the end of a provider', () => {
  test('is not outlived by API tokens: a role it gave makes none', async () => {
    const provider = await addActive({ roleRules: [{ group: 'it', role: 'site_admin', hub: null, project: null }] })
    await addLinked(provider, 'tess')
    const browser = new Browser()
    await lie(browser, provider, 'tess', { groups: ['it'] })
    expect(await browser.viewer()).toMatchObject({ roleName: 'site_admin' })
    const expiresAt = new Date(runtime.now().getTime() + 86_400_000).toISOString()
    const token = buildResourceDocument('api-tokens', { name: 'Export', scopes: ['content:read'], expiresAt })
    expect((await createApiClient(runtime, site, browser.token).post('/api-tokens', token)).codes).toEqual(['forbidden'])
    expect((await as().post('/api-tokens', token)).status).toBe(201)
  })

  test('suspending it ends its sessions and roles; the site keeps an administrator who needs no provider', async () => {
    const rules = [{ group: 'it', role: 'site_admin', hub: null, project: null }]
    const provider = await addActive({ roleRules: rules })
    const person = await addLinked(provider, 'sami')
    const browser = new Browser()
    await lie(browser, provider, 'sami', { groups: ['it'] })
    expect(await browser.viewer()).toMatchObject({ roleName: 'site_admin' })
    const own = await runtime.database.site(site.id).tx((tx) =>
      tx
        .select()
        .from(memberships)
        .where(and(eq(memberships.siteId, site.id), eq(memberships.role, 'site_admin'))),
    )
    // All others but the last are removed; that one stays, although the provider gave the role to somebody.
    const byHand = own.filter(({ providerId, userId }) => providerId === null && userId !== admin.id)
    for (const { id } of byHand) expect((await as().delete(`/memberships/${id}`)).status).toBe(204)
    const [last] = own.filter(({ providerId, userId }) => providerId === null && userId === admin.id)
    expect((await as().delete(`/memberships/${last?.id ?? ''}`)).codes).toContain('last-site-admin')
    expect((await change(provider, { state: 'suspended' })).status).toBe(200)
    expect((await browser.viewer()).kind).toBe('visitor')
    expect(await faultOf(new Browser().begin(provider))).toBe('not-active')
    const left = await runtime.database.site(site.id).tx((tx) => tx.select().from(memberships).where(eq(memberships.userId, person.id)))
    expect(left).toEqual([])
  })

  test('its issuer stays the same once somebody is linked', async () => {
    const provider = await addActive()
    expect((await change(provider, { issuer: real.issuer })).codes).toContain('conflict')
  })

  test('a logout there ends the sessions here, by a token that it signed for this, once', async () => {
    const provider = await addActive()
    await addLinked(provider, 'vic')
    const browser = new Browser()
    await lie(browser, provider, 'vic', { sid: 'session at the provider' })
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: liar.issuer, aud: 'parley', sub: 'vic', iat: now, exp: now + 100, jti: 'j1' }
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const send = async (token: string) => {
      const body = new URLSearchParams({ logout_token: token })
      const request = new Request('http://riverbend.localhost/', { method: 'POST', body })
      const context = requestContext(createCtx(runtime, site))
      return (await handleBackChannelLogout({ request, context, params: { provider } })).status
    }
    expect(await send(await liar.sign(claims))).toBe(400)
    expect(await send(await liar.sign({ ...claims, events, nonce: 'n' }))).toBe(400)
    expect(await send(await liar.sign({ ...claims, events, aud: 'another' }))).toBe(400)
    expect(await send(await liar.sign({ ...claims, events, iat: now - 3600 }))).toBe(400)
    expect(await send(await liar.sign({ ...claims, events, iat: now + 180, exp: now + 600 }))).toBe(400)
    expect(await send(await liar.sign({ ...claims, events, nbf: now + 180, exp: now + 600 }))).toBe(400)
    expect((await browser.viewer()).kind).toBe('user')
    const token = await liar.sign({ ...claims, events }, { typ: 'logout+jwt' })
    expect(await send(token)).toBe(200)
    expect((await browser.viewer()).kind).toBe('visitor')
    expect(await send(token)).toBe(400)
  })
})

describe('a page of the provider that frames our logout address', () => {
  const open = async (provider: string, query: Record<string, string>) => {
    const request = new Request(`http://riverbend.localhost/hooks/sign-in/${provider}?${new URLSearchParams(query)}`)
    const answer = await serveFrontChannelLogout({ request, context: requestContext(createCtx(runtime, site)), params: { provider } })
    return { status: answer.status, framers: answer.headers.get('content-security-policy')?.split('frame-ancestors ')[1], answer }
  }

  test('ends the session that it names there, and no other; both issuer and session have to be right', async () => {
    const provider = await addActive()
    await addLinked(provider, 'zoe')
    const [browser, other] = [new Browser(), new Browser()]
    await lie(browser, provider, 'zoe', { sid: 'here' })
    await lie(other, provider, 'zoe', { sid: 'there' })
    for (const query of [
      {},
      { sid: 'here' },
      { iss: liar.issuer },
      { iss: 'https://elsewhere.example', sid: 'here' },
      { iss: liar.issuer, sid: '' },
    ])
      expect((await open(provider, query as Record<string, string>)).status).toBe(400)
    expect((await open(provider, { iss: liar.issuer, sid: 'another' })).status).toBe(200)
    expect((await browser.viewer()).kind).toBe('user')
    const { status, framers, answer } = await open(provider, { iss: liar.issuer, sid: 'here' })
    expect([status, framers]).toEqual([200, liar.issuer])
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-store')
    expect([(await browser.viewer()).kind, (await other.viewer()).kind]).toEqual(['visitor', 'user'])
  })

  test('is nobody else’s: what is refused may be framed by nobody', async () => {
    const provider = await addActive()
    expect(await open(provider, { iss: 'https://elsewhere.example', sid: 'x' })).toMatchObject({ status: 400, framers: "'none'" })
    expect(await open(createId(), { iss: liar.issuer, sid: 'x' })).toMatchObject({ status: 404, framers: "'none'" })
    await removeProviders()
  })
})

test('merging two people moves the identity; erasing one removes it; the secret is never sent', async () => {
  const provider = await addActive()
  const from = await addLinked(provider, 'wes')
  const into = await addPerson(runtime, site)
  const to = { from: { type: 'users', id: from.id }, into: { type: 'users', id: into.id } }
  expect((await as().post('/user-merges', buildResourceDocument('user-merges', {}, { to }))).status).toBeLessThan(300)
  const browser = new Browser()
  await lie(browser, provider, 'wes')
  expect(await browser.viewer()).toMatchObject({ id: into.id })
  await runtime.database.site(site.id).tx((tx) => tx.delete(users).where(eq(users.id, into.id)))
  const left = await runtime.database.site(site.id).tx((tx) => tx.select().from(identities).where(eq(identities.subject, 'wes')))
  expect(left).toEqual([])
  expect(JSON.stringify((await as().get('/identity-providers')).body)).not.toContain('a secret of the council')
})

test('the ordinary pages ask no provider, and its description is read once for many sign-ins', async () => {
  const provider = await addActive()
  await addLinked(provider, 'many')
  await lie(new Browser(), provider, 'many')
  const before = liar.countRequests()
  await lie(new Browser(), provider, 'many')
  await lie(new Browser(), provider, 'many')
  // The code, and no document: userinfo is not offered.
  expect(liar.countRequests() - before).toBe(2)
})

describe('a provider that proves something of residents', () => {
  beforeAll(() => runtime.database.site(site.id).tx((tx) => tx.delete(identityProviders).where(eq(identityProviders.siteId, site.id))))
  const RESIDENTS = { audience: 'residents', provesLevel: 'identity' }
  const heldBy = (person: Person) =>
    runtime.database.site(site.id).tx((tx) => tx.select().from(verifications).where(eq(verifications.userId, person.id)))

  test('verifies who signs in with it for a year, and the same person after unlinking', async () => {
    const provider = await addActive(RESIDENTS)
    const person = await addLinked(provider, 'ines')
    const [linked] = await heldBy(person)
    expect(linked).toMatchObject({ method: 'provider', level: 'identity', browserHash: null })
    const { body: identities } = await as(person).get('/identities')
    const [own] = (identities?.data ?? []) as { id: string }[]
    expect((await as(person).delete(`/identities/${own?.id}`)).status).toBe(204)
    expect(await heldBy(person)).toEqual([])
    const again = await addLinked(provider, 'ines')
    const [relinked] = await heldBy(again)
    expect(relinked?.subjectHash.equals(linked?.subjectHash ?? Buffer.alloc(0))).toBe(true)
    runtime.setNow(new Date(Date.now() + 30 * 86_400_000))
    await lie(new Browser(), provider, 'ines')
    runtime.setNow(undefined)
    const [renewed] = await heldBy(again)
    expect(renewed?.id).toBe(relinked?.id)
    expect(renewed?.validUntil.getTime()).toBeGreaterThan(relinked?.validUntil.getTime() ?? Infinity)
  })

  test('proves nothing by default, while it is tested, or of the staff', async () => {
    const plain = await addActive({ audience: 'residents' })
    expect(await heldBy(await addLinked(plain, 'jo'))).toEqual([])
    const refused = await change(plain, { audience: 'staff', provesLevel: 'identity' })
    expect([refused.status, refused.codes]).toEqual([422, ['not-a-choice']])
    expect((await change(await addActive(RESIDENTS), { audience: 'staff' })).status).toBe(422)
    const { id } = await addProvider(liar.issuer, RESIDENTS)
    await change(id, { state: 'testing' })
    const browser = new Browser(admin)
    const address = await browser.begin(id, 'link')
    liar.answer(await liar.sign(honestClaims(address, 'ana herself')))
    await browser.arrive(id, callback(address))
    await browser.confirm()
    expect(await heldBy(admin)).toEqual([])
    // The database holds it too.
    const former = await addActive(RESIDENTS)
    const staff = runtime.database
      .site(site.id)
      .tx((tx) => tx.update(identityProviders).set({ audience: 'staff' }).where(eq(identityProviders.id, former)))
    await expect(staff).rejects.toMatchObject({ cause: { constraint: 'identity_providers_residents_check' } })
  })

  test('asks for the levels that it needs', async () => {
    const provider = await addActive({ ...RESIDENTS, requiredAcr: ['P2'] })
    const person = await addPerson(runtime, site)
    const browser = new Browser(person)
    expect(await faultOf(lie(browser, provider, 'kai', { acr: 'P1' }))).toBe('level-too-low')
    expect(await heldBy(person)).toEqual([])
  })

  test('ends what it proved when its level changes or it is suspended', async () => {
    const provider = await addActive(RESIDENTS)
    const person = await addLinked(provider, 'lou')
    expect(await heldBy(person)).toHaveLength(1)
    await change(provider, { provesLevel: 'resident' })
    expect(await heldBy(person)).toEqual([])
    await lie(new Browser(), provider, 'lou')
    expect(await heldBy(person)).toMatchObject([{ level: 'resident' }])
    await change(provider, { state: 'suspended' })
    expect(await heldBy(person)).toEqual([])
  })
})

describe('what a provider says about a person', () => {
  // Their providers would be too many beside those of the tests above.
  beforeAll(() => runtime.database.site(site.id).tx((tx) => tx.delete(identityProviders).where(eq(identityProviders.siteId, site.id))))
  const inLanguages = (text: string) => ({ en: text, 'fr-CA': text, cy: text })
  const asked = async (key: string, more: Record<string, unknown>) => {
    const texts = { labelTranslations: inLanguages(`Label of ${key}`), purposeTranslations: inLanguages(`Purpose of ${key}.`) }
    const basis = { key, ...texts, askedAt: 'sign-up', retentionMonths: 24, status: 'live', ...more }
    const answer = await as().post('/profile-questions', buildResourceDocument('profile-questions', basis))
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  }
  const options = ['welsh', 'english'].map((id) => ({ id, label: inLanguages(`Speaks ${id}`) }))
  const NAMES = {
    claims: {
      email: 'email',
      name: 'name',
      groups: 'groups',
      answers: { born: 'birthdate', speaks: 'languages', postal: 'address.postal_code', health: 'disability', nothing: 'languages' },
    },
  }
  const SAID = {
    birthdate: '1980-05-17',
    languages: ['Speaks Welsh', 'english'],
    address: { postal_code: 'CF10 1AA' },
    disability: 'yes',
  }
  beforeAll(async () => {
    await asked('born', { kind: 'year-of-birth' })
    await asked('speaks', { kind: 'several-choices', options })
    await asked('postal', { kind: 'postcode' })
    await asked('health', { kind: 'one-choice', options: [{ id: 'yes', label: inLanguages('Yes') }], sensitive: true })
  })
  const answersOf = async (person: Person) => {
    const { body } = await as(person).get('/profile-answers?filter[user]=' + person.id)
    return ((body?.data ?? []) as { attributes: { question: string; answer: unknown; source: string } }[])
      .map(({ attributes: { question, answer, source } }) => ({ question, answer, source }))
      .toSorted((a, b) => a.question.localeCompare(b.question))
  }
  const beginLink = async (provider: string, person: Person, claims: JWTPayload) => {
    const browser = new Browser(person)
    const address = await browser.begin(provider, 'link')
    liar.answer(await liar.sign({ ...honestClaims(address, `sub of ${person.id}`), ...claims }))
    await browser.arrive(provider, callback(address))
    return browser
  }
  const KEPT = [
    { question: 'born', answer: 1980, source: 'identity-provider' },
    { question: 'postal', answer: 'CF10 1AA', source: 'identity-provider' },
    { question: 'speaks', answer: { choices: ['welsh', 'english'] }, source: 'identity-provider' },
  ]

  test('is shown with its purpose before the account is linked, and kept if the person wants it, without what is sensitive', async () => {
    const provider = await addActive(NAMES)
    const person = await addPerson(runtime, site)
    const browser = await beginLink(provider, person, SAID)
    const pending = await loadPendingSignIn(await browser.ctx(), browser.read)
    expect(pending?.answers.map(({ key, text }) => [key, text])).toEqual([
      ['born', '1980'],
      ['speaks', 'Speaks welsh; Speaks english'],
      ['postal', 'CF10 1AA'],
    ])
    expect(pending?.answers[0]?.why).toContain('Purpose of born.')
    expect(pending?.answers[0]?.why).toContain('24 months')
    expect(await answersOf(person)).toEqual([])
    await browser.confirm({ keepsAnswers: true })
    expect(await answersOf(person)).toEqual(KEPT)
  })

  test('is not kept unless they want it, nor by later sign-ins', async () => {
    const provider = await addActive(NAMES)
    const person = await addPerson(runtime, site)
    await (await beginLink(provider, person, SAID)).confirm()
    await lie(new Browser(), provider, `sub of ${person.id}`, SAID)
    expect(await answersOf(person)).toEqual([])
  })

  test('replaces nothing that they said themselves, and nobody has to understand it', async () => {
    const provider = await addActive(NAMES)
    const person = await addPerson(runtime, site)
    const own = buildResourceDocument('profile-answers', { question: 'born', answer: 1979 })
    expect((await as(person).post('/profile-answers', own)).status).toBe(201)
    const odd = { ...SAID, languages: ['Speaks Breton'], address: 'Cardiff' }
    await (await beginLink(provider, person, odd)).confirm({ keepsAnswers: true })
    expect(await answersOf(person)).toEqual([{ question: 'born', answer: 1979, source: 'person' }])
  })

  test('comes with a new account as well', async () => {
    const provider = await addActive({ ...NAMES, createsAccounts: true, provesEmail: true })
    const browser = new Browser()
    await lie(browser, provider, 'newcomer', { ...SAID, email: 'newcomer@example.org', email_verified: true, name: 'Nia' })
    await browser.confirm({ keepsAnswers: true })
    const viewer = await browser.viewer()
    if (viewer.kind !== 'user') throw new Error('nobody is signed in')
    const stored = await runtime.database
      .site(site.id)
      .tx((tx) => tx.select({ answer: profileAnswers.answer }).from(profileAnswers).where(eq(profileAnswers.userId, viewer.id)))
    expect(stored.map(({ answer }) => answer)).toEqual(expect.arrayContaining(KEPT.map(({ answer }) => answer)))
  })

  test('names six claims at most', async () => {
    const answers = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`q${at}`, 'birthdate']))
    const refused = await change(await addActive(NAMES), { claims: { ...NAMES.claims, answers } })
    expect([refused.status, refused.codes]).toEqual([422, ['too-many']])
  })
})
