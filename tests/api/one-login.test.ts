import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listPublicKeys } from '#app/features/identity/provider-secrets.server.ts'
import { loadProvidersById } from '#app/features/identity/read-providers.server.ts'
import { identities, identityProviderTests } from '#app/server/db/schema/identity.ts'
import { verifications } from '#app/server/db/schema/verifications.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { type Answer, CORE_IDENTITY, RETURN_CODE, startOneLogin } from '#tests/support/one-login.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { readSignInFault as faultOf, SignInBrowser } from '#tests/support/sign-in-browser.ts'

let runtime: TestRuntime
let oneLogin: Awaited<ReturnType<typeof startOneLogin>>

interface Provider {
  id: string
  attributes: Record<string, unknown> & { callbackUrl: string; state: string }
  meta: { lockVersion: number }
}
const one = (answer: ApiAnswer) => answer.body?.data as Provider
const SUBJECT = 'urn:fdc:gov.uk:2022:56P4CMsGh_02YOlWpd8PAOI-2sVlB2nsNU7mcLZYhYw='

beforeAll(async () => {
  runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
  oneLogin = await startOneLogin()
})
afterAll(() => oneLogin.close())

let count = 0
/** A site with an administrator. */
async function openSite(): Promise<{ site: Site; admin: Person }> {
  count += 1
  const site = await addSite(runtime, { slug: `onelogin${count}` })
  return { site, admin: await addPerson(runtime, site, { role: 'site_admin' }) }
}

const as = ({ token }: Person, site: Site) => createApiClient(runtime, site, token)

const create = (site: Site, admin: Person, attributes: Record<string, unknown>) => {
  const whole = { preset: 'gov-uk-one-login', name: 'GOV.UK One Login', issuer: oneLogin.issuer, clientId: 'parley', ...attributes }
  return as(admin, site).post('/identity-providers', buildResourceDocument('identity-providers', whole))
}

async function change(site: Site, admin: Person, id: string, attributes: Record<string, unknown>): Promise<ApiAnswer> {
  const { meta } = one(await as(admin, site).get(`/identity-providers/${id}`))
  const document = buildResourceDocument('identity-providers', attributes, { id })
  return as(admin, site).patch(`/identity-providers/${id}`, { data: { ...document.data, meta: { lockVersion: meta.lockVersion } } })
}

/** The client is registered there with the site's keys and address. */
async function register(site: Site, admin: Person, { id, attributes }: Provider): Promise<void> {
  const ctx = await new SignInBrowser(runtime, site, admin.token).ctx()
  const [row] = await loadProvidersById(ctx, [id])
  if (!row) throw new Error('The provider was not found again')
  oneLogin.register({ id: 'parley', jwks: listPublicKeys(ctx, row), callback: attributes.callbackUrl })
}

/** A site whose provider is registered, tested and active. */
async function openTo(attributes: Record<string, unknown>) {
  const { site, admin } = await openSite()
  const made = await create(site, admin, { audience: 'residents', ...attributes })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const provider = one(made)
  await register(site, admin, provider)
  await change(site, admin, provider.id, { state: 'testing' })
  await enter(new SignInBrowser(runtime, site, admin.token), provider.id, 'test', 'a tester')
  const active = await change(site, admin, provider.id, { state: 'active' })
  expect(active.status, JSON.stringify(active.body)).toBe(200)
  return { site, admin, provider: provider.id }
}

async function enter(browser: SignInBrowser, provider: string, purpose: 'sign-in' | 'link' | 'test', sub: string, answer?: Answer) {
  return browser.arrive(provider, oneLogin.signIn(await browser.begin(provider, purpose), sub, answer))
}

/** A resident who linked an account there, and is signed in with it. */
async function addLinked(site: Site, provider: string, sub = SUBJECT): Promise<Person> {
  const person = await addPerson(runtime, site)
  const browser = new SignInBrowser(runtime, site, person.token)
  await enter(browser, provider, 'link', sub)
  await browser.confirm()
  return person
}

const heldBy = ({ id }: Person, site: Site) =>
  runtime.database.site(site.id).tx((tx) => tx.select().from(verifications).where(eq(verifications.userId, id)))

describe('the preset of GOV.UK One Login', () => {
  test('fills in its settings, speaks OpenID Connect alone, and is a draft with which nobody signs in', async () => {
    const { site, admin } = await openSite()
    const made = one(await create(site, admin, {}))
    expect(made.attributes).toMatchObject({ state: 'draft', clientAuth: 'private-key', provesEmail: true, requiredAcr: [] })
    expect(await faultOf(new SignInBrowser(runtime, site).begin(made.id))).toBe('not-active')
    const saml = await create(site, admin, { protocol: 'saml', ssoUrl: 'https://login.example.org' })
    expect([saml.status, saml.codes]).toEqual([422, ['not-a-choice']])
    expect((await create(site, admin, { requiredAcr: ['P2'] })).codes).toEqual(['not-a-choice'])
    expect((await change(site, admin, made.id, { requiredAcr: ['P2'] })).codes).toEqual(['not-a-choice'])
  })
})

describe('signing in with GOV.UK One Login', () => {
  let site: Site
  let provider: string
  beforeAll(async () => ({ site, provider } = await openTo({ provesLevel: 'contact' })))

  test('asks for Cl.Cm by a vector of trust and for no identity; the site proves itself by a key, to the token endpoint', async () => {
    const browser = new SignInBrowser(runtime, site)
    const { searchParams } = await browser.begin(provider)
    expect(searchParams.get('vtr')).toBe('["Cl.Cm"]')
    expect([searchParams.has('claims'), searchParams.has('acr_values')]).toEqual([false, false])
    expect([searchParams.get('scope'), searchParams.get('response_type')]).toEqual(['openid email', 'code'])
    const person = await addLinked(site, provider)
    expect(oneLogin.asserted.at(-1)).toMatchObject({ iss: 'parley', sub: 'parley', aud: expect.stringMatching(/\/token$/) })
    await enter(browser, provider, 'sign-in', SUBJECT)
    expect(await browser.viewer()).toMatchObject({ kind: 'user', id: person.id })
    expect(await heldBy(person, site)).toMatchObject([{ level: 'contact' }])
  })

  test.each<[string, Answer['idToken'], string]>([
    ['a lower vector', { vot: 'Cl' }, 'level-too-low'],
    ['no vector', { vot: undefined }, 'level-too-low'],
    ['the trustmark of somebody else', { vtm: 'https://elsewhere.example/trustmark' }, 'wrong-issuer'],
    ['no trustmark', { vtm: undefined }, 'wrong-issuer'],
    ['another nonce', { nonce: 'another' }, 'wrong-nonce'],
    ['another audience', { aud: 'somebody else' }, 'wrong-audience'],
  ])('%s signs nobody in', async (_name, idToken, fault) => {
    const browser = new SignInBrowser(runtime, site)
    expect(await faultOf(enter(browser, provider, 'sign-in', SUBJECT, { idToken }))).toBe(fault)
    expect((await browser.viewer()).kind).toBe('visitor')
  })
})

describe('proving an identity with GOV.UK One Login', () => {
  let site: Site
  let admin: Person
  let provider: string
  beforeAll(async () => ({ site, admin, provider } = await openTo({ provesLevel: 'identity' })))

  test('asks for P2.Cl.Cm, the core identity and the return codes', async () => {
    const { searchParams } = await new SignInBrowser(runtime, site).begin(provider)
    expect(searchParams.get('vtr')).toBe('["P2.Cl.Cm"]')
    expect(JSON.parse(searchParams.get('claims') ?? '')).toEqual({ userinfo: { [CORE_IDENTITY]: null, [RETURN_CODE]: null } })
  })

  test('verifies the person, and keeps neither name nor date of birth', async () => {
    const person = await addLinked(site, provider)
    expect(await heldBy(person, site)).toMatchObject([{ method: 'provider', level: 'identity' }])
    const kept = await runtime.database
      .site(site.id)
      .tx(async (tx) => [await tx.select().from(identities), await tx.select().from(identityProviderTests)])
    expect(kept.map((rows) => rows.length)).toEqual([1, 1])
    expect(JSON.stringify(kept)).not.toMatch(/Decerqueira|1965|vocab\.account/)
    const shown = await as(admin, site).get(`/identity-provider-tests?filter[provider]=${provider}`)
    expect((shown.body?.data as { attributes: object }[] | undefined)?.[0]?.attributes).toMatchObject({
      fault: null,
      claims: { vot: 'Cl.Cm' },
    })
  })

  const hourAgo = Math.floor(Date.now() / 1000) - 3600
  test.each<[string, Answer, string]>([
    ['a core identity of a lower level', { coreIdentity: { vot: 'P1' } }, 'level-too-low'],
    ['one without a level', { coreIdentity: { vot: undefined } }, 'level-too-low'],
    ['an ID token that names a lower level', { coreIdentity: {}, idToken: { vot: 'P1.Cl.Cm' } }, 'level-too-low'],
    ['the core identity of somebody else', { coreIdentity: { sub: 'urn:fdc:gov.uk:2022:another' } }, 'not-understood'],
    ['one for another client', { coreIdentity: { aud: 'another' } }, 'wrong-audience'],
    ['one of another issuer', { coreIdentity: { iss: 'https://identity.example/' } }, 'wrong-issuer'],
    ['one that is over', { coreIdentity: { exp: hourAgo } }, 'expired'],
    ['one that never ends', { coreIdentity: { exp: undefined } }, 'not-understood'],
    ['one with a forged signature', { coreIdentity: { isForged: true } }, 'wrong-signature'],
    ['a key that is not published', { coreIdentity: { header: { kid: 'did:web:identity.example#one' } } }, 'wrong-signature'],
    ['return codes instead', { returnCodes: [{ code: 'A' }, { code: 'Z' }] }, 'identity-not-proven'],
    ['neither', {}, 'identity-not-proven'],
  ])('%s proves nothing and signs nobody in', async (_name, answer, fault) => {
    const person = await addPerson(runtime, site)
    const browser = new SignInBrowser(runtime, site)
    expect(await faultOf(enter(browser, provider, 'sign-in', SUBJECT, answer))).toBe(fault)
    expect((await browser.viewer()).kind).toBe('visitor')
    const linking = new SignInBrowser(runtime, site, person.token)
    expect(await faultOf(enter(linking, provider, 'link', `${SUBJECT}x`, answer))).toBe(fault)
    expect(await heldBy(person, site)).toEqual([])
  })

  test('is not what somebody confirms who was only asked to sign in, before the settings changed', async () => {
    const other = await openTo({ provesLevel: 'contact' })
    const person = await addPerson(runtime, other.site)
    const browser = new SignInBrowser(runtime, other.site, person.token)
    await enter(browser, other.provider, 'link', SUBJECT)
    expect((await change(other.site, other.admin, other.provider, { provesLevel: 'identity' })).status).toBe(200)
    expect(await faultOf(browser.confirm())).toBe('started-elsewhere')
    expect(await heldBy(person, other.site)).toEqual([])
    await enter(browser, other.provider, 'link', SUBJECT)
    await browser.confirm()
    expect(await heldBy(person, other.site)).toMatchObject([{ level: 'identity' }])
  })

  test('is not known at another site: each has its own subject of the same person', async () => {
    const other = await openTo({ provesLevel: 'identity' })
    const pairwise = 'urn:fdc:gov.uk:2022:another-sector'
    await addLinked(other.site, other.provider, pairwise)
    const subjects = (at: Site) => runtime.database.site(at.id).tx((tx) => tx.select({ subject: identities.subject }).from(identities))
    expect(await subjects(other.site)).toEqual([{ subject: pairwise }])
    const stranger = await enter(new SignInBrowser(runtime, other.site), other.provider, 'sign-in', SUBJECT)
    expect(stranger.session).toBeUndefined()
  })
})
