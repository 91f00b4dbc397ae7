import { verify, X509Certificate } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { receiveAssertion, serveSamlMetadata } from '#app/features/identity/saml/receive-assertion.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import type { SignInStep } from '#app/features/identity/sign-in.server.ts'
import { samlAnswers } from '#app/server/db/schema/identity.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { requestContext } from '#tests/support/request-context.ts'
import {
  createSamlKeys,
  createXmlId,
  encryptAssertion,
  SamlProvider,
  type SamlSaying,
  SHA_1,
  signElement,
} from '#tests/support/saml-provider.ts'
import { startCpuClock } from '#tests/support/cpu-time.ts'
import { readSignInFault, SignInBrowser } from '#tests/support/sign-in-browser.ts'

interface Provider {
  id: string
  attributes: Record<string, unknown> & { state: string; testedAt: string | null }
  meta: { lockVersion: number }
}
type Request = ReturnType<SamlProvider['readRequest']>

let runtime: TestRuntime
let site: Site
let admin: Person
let council: SamlProvider
let provider: string

const one = (answer: ApiAnswer) => answer.body?.data as Provider
const as = (person: Person = admin) => createApiClient(runtime, site, person.token)
const open = (person?: Person) => new SignInBrowser(runtime, site, person?.token)

const add = (more: Record<string, unknown> = {}) =>
  as().post(
    '/identity-providers',
    buildResourceDocument('identity-providers', {
      name: 'Council account',
      protocol: 'saml',
      issuer: council.entityId,
      ssoUrl: 'https://127.0.0.1/sso',
      certificates: [council.keys.certificate],
      ...more,
    }),
  )

async function changeProvider(id: string, attributes: Record<string, unknown>): Promise<ApiAnswer> {
  const { meta } = one(await as().get(`/identity-providers/${id}`))
  const document = buildResourceDocument('identity-providers', attributes, { id })
  return as().patch(`/identity-providers/${id}`, { data: { ...document.data, meta: { lockVersion: meta.lockVersion } } })
}

/** Posts a provider's answer to the site, as the form on the provider's page does. */
function sendAnswer(xml: string, state: string, at = provider, on = site): Promise<Response> {
  const body = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: state })
  const request = new Request(`http://${on.host}/hooks/saml/${at}`, { method: 'POST', body })
  return receiveAssertion({ request, context: requestContext(createCtx(runtime, on)), params: { provider: at } })
}

/** The same for a provider of this site. @returns the address that the browser is redirected to */
async function sendRedirectedAnswer(xml: string, state: string): Promise<URL> {
  const answer = await sendAnswer(xml, state)
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location') ?? '', 'http://site')
}

const nest = (depth: number, opening: string) => opening.repeat(depth) + '</a>'.repeat(depth)

const begin = async (browser: SignInBrowser, purpose: 'sign-in' | 'link' | 'test' = 'sign-in'): Promise<Request> =>
  council.readRequest(await browser.begin(provider, purpose))
const arrive = async (browser: SignInBrowser, xml: string, { state }: Request): Promise<SignInStep> =>
  browser.arrive(provider, (await sendRedirectedAnswer(xml, state)).searchParams)
const signIn = async (browser: SignInBrowser, saying: SamlSaying = {}): Promise<SignInStep> => {
  const request = await begin(browser)
  return arrive(browser, council.respond(council.assert(request, saying)), request)
}

/** A person with a linked identity, linked by themselves. */
async function addLinked(subject: string, options: Parameters<typeof addPerson>[2] = {}): Promise<Person> {
  const person = await addPerson(runtime, site, options)
  const browser = open(person)
  const request = await begin(browser, 'link')
  await arrive(browser, council.respond(council.assert(request, { subject })), request)
  await browser.confirm()
  return person
}

beforeAll(async () => {
  runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
})
beforeEach(async () => {
  site = await addSite(runtime, { slug: `s${createId()}` })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  council = new SamlProvider('https://login.council.example/saml')
  const added = await add()
  provider = one(added).id
  await changeProvider(provider, { state: 'testing' })
  const browser = open(admin)
  const request = await begin(browser, 'test')
  await arrive(browser, council.respond(council.assert(request, { subject: 'tester' })), request)
  const active = await changeProvider(provider, { state: 'active' })
  if (active.status !== 200) throw new Error(JSON.stringify(active.body))
})

describe('a SAML provider', () => {
  test('is told of the site by metadata, without anybody having to sign in', async () => {
    const context = requestContext(createCtx(runtime, site))
    const request = new Request(`http://${site.host}/`)
    const answer = await serveSamlMetadata({ request, context, params: { provider } })
    const xml = await answer.text()
    const { attributes } = one(await as().get(`/identity-providers/${provider}`))
    expect(xml).toContain(`entityID="${String(attributes['metadataUrl'])}"`)
    expect(xml).toContain(`Location="${String(attributes['callbackUrl'])}"`)
    expect(xml).toContain('WantAssertionsSigned="true"')
    expect((await serveSamlMetadata({ request, context, params: { provider: createId() } })).status).toBe(404)
  })

  test('needs an address at https and certificates that can be read', async () => {
    expect((await add({ ssoUrl: null })).codes).toEqual(['required'])
    expect((await add({ certificates: [] })).codes).toEqual(['required'])
    expect((await add({ certificates: ['not a certificate'] })).codes).toEqual(['wrong-format'])
    expect((await changeProvider(provider, { certificates: [] })).codes).toEqual(['required'])
  })

  test('signs in who linked their account, with the roles of their groups, for 12 hours', async () => {
    const hub = await addHub(runtime, site)
    const rules = [{ group: 'Parks editors', role: 'hub_admin', hub: hub.id, project: null }]
    expect((await changeProvider(provider, { roleRules: rules })).status).toBe(200)
    const person = await addLinked('anwen')
    const browser = open()
    await signIn(browser, { subject: 'anwen', attributes: { groups: ['Parks editors', 'Everybody'], email: 'anwen@council.example' } })
    expect(await browser.viewer()).toMatchObject({ id: person.id, roleName: 'hub_admin' })
    const later = open()
    await signIn(later, { subject: 'anwen', attributes: { groups: 'Everybody' } })
    expect(await later.viewer(), 'the group is gone').toMatchObject({ id: person.id, roleName: 'participant' })
  })

  test('is asked for the levels that the settings require, as the preset of Sign-In Canada does, and for none otherwise', async () => {
    expect((await begin(open())).levels).toEqual([])
    const level = 'urn:gc-ca:cyber-auth:assurance:loa2'
    const made = one(await add({ preset: 'sign-in-canada' }))
    expect(made.attributes).toMatchObject({ protocol: 'saml', state: 'draft', requiredAcr: [level] })
    provider = made.id
    await changeProvider(provider, { state: 'testing' })
    const test = async (said: string) => {
      const browser = open(admin)
      const request = await begin(browser, 'test')
      expect(request.levels).toEqual([level])
      await arrive(browser, council.respond(council.assert(request, { level: said })), request)
      const { body } = await as().get(`/identity-provider-tests?filter[provider]=${provider}`)
      return (body?.data as { attributes: { fault: string | null } }[] | undefined)?.[0]?.attributes.fault
    }
    expect(await test('urn:gc-ca:cyber-auth:assurance:loa1')).toBe('level-too-low')
    expect(await test(level)).toBeNull()
    expect((await changeProvider(provider, { state: 'active' })).status).toBe(200)
  })

  test('shows on its testing page what came and what failed', async () => {
    expect((await changeProvider(provider, { state: 'suspended' })).status).toBe(200)
    expect((await changeProvider(provider, { state: 'testing' })).status).toBe(200)
    const readTest = async () => {
      const answer = await as().get(`/identity-provider-tests?filter[provider]=${provider}`)
      return (answer.body?.data as Provider[] | undefined)?.[0]?.attributes
    }
    const browser = open(admin)
    const good = await begin(browser, 'test')
    await arrive(browser, council.respond(council.assert(good, { attributes: { name: 'Ann' } })), good)
    expect(await readTest()).toMatchObject({ fault: null, claims: { sub: 'subject-1', name: 'Ann' } })
    const bad = await begin(browser, 'test')
    await arrive(browser, council.respond(council.assert(bad, {}, { keys: createSamlKeys() })), bad)
    expect(await readTest()).toMatchObject({ fault: 'wrong-signature' })
  })

  test('may change its key: both certificates count', async () => {
    const next = createSamlKeys()
    await addLinked('bryn')
    expect((await changeProvider(provider, { certificates: [council.keys.certificate, next.certificate] })).status).toBe(200)
    for (const keys of [council.keys, next]) {
      const browser = open()
      const request = await begin(browser)
      await arrive(browser, council.respond(council.assert(request, { subject: 'bryn' }, { keys })), request)
      expect((await browser.viewer()).kind).toBe('user')
    }
  })
})

/** The site's metadata, as the provider reads it. */
async function readMetadata(): Promise<{ signing: string[]; encryption: string[]; signsRequests: boolean }> {
  const context = requestContext(createCtx(runtime, site))
  const answer = await serveSamlMetadata({ request: new Request(`http://${site.host}/`), context, params: { provider } })
  const xml = await answer.text()
  const list = (use: string) =>
    [...xml.matchAll(new RegExp(`<KeyDescriptor use="${use}">[^]*?<ds:X509Certificate>([^<]+)<`, 'g'))].map(
      ([, base64]) => `-----BEGIN CERTIFICATE-----\n${base64?.trim()}\n-----END CERTIFICATE-----`,
    )
  return { signing: list('signing'), encryption: list('encryption'), signsRequests: /AuthnRequestsSigned="true"/.test(xml) }
}

describe('a site that wants requests signed', () => {
  test('signs them with a key of its metadata, and says so; without the setting it does neither', async () => {
    expect(council.readAddress(await open().begin(provider)).signature).toBe(null)
    expect(await readMetadata()).toEqual({ signing: [], encryption: [], signsRequests: false })
    expect((await changeProvider(provider, { signsRequests: true })).status).toBe(200)
    const { signing, encryption, signsRequests } = await readMetadata()
    expect({ signsRequests, keys: signing.length, encryption }).toEqual({ signsRequests: true, keys: 2, encryption: [] })
    expect(new X509Certificate(signing[0] ?? '').subject).toBe(`CN=${site.host}`)
    const { signed, signature, algorithm } = council.readAddress(await open().begin(provider))
    expect(algorithm).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')
    const holds = (certificate = '', text = signed) =>
      verify('sha256', Buffer.from(text), new X509Certificate(certificate).publicKey, signature ?? Buffer.of())
    expect([holds(signing[0]), holds(signing[1]), holds(signing[0], `${signed}x`)]).toEqual([true, false, false])
  })
})

describe('a site that has assertions encrypted', () => {
  const change = (assertionEncryption: string) => changeProvider(provider, { assertionEncryption })
  /** Signs in with an answer made of a signed assertion. @returns the fault, or `signed-in` for its subject */
  async function tryAnswer(subject: string, build: (signed: string, request: Request) => string): Promise<string> {
    const browser = open()
    const request = await begin(browser)
    const fault = await readSignInFault(arrive(browser, build(council.assert(request, { subject }), request), request))
    if (fault !== 'none') return fault
    return (await browser.viewer()).kind === 'user' ? 'signed-in' : 'nobody'
  }
  const findKey = async () => (await readMetadata()).encryption[0] ?? ''

  test('publishes its certificate, and shows it to administrators, never the key', async () => {
    expect((await change('accepted')).status).toBe(200)
    const { encryption, signing } = await readMetadata()
    expect([encryption.length, signing.length]).toEqual([1, 0])
    const answer = await as().get(`/identity-providers/${provider}`)
    const strip = (pem: unknown) => String(pem).replaceAll(/\s/g, '')
    expect(strip(one(answer).attributes['encryptionCertificate'])).toBe(strip(encryption[0]))
    expect(JSON.stringify(answer.body)).not.toMatch(/PRIVATE|"d":/)
    const events = await as().get('/audit-events?filter[action]=identity-providers.update')
    expect(JSON.stringify(events.body)).toContain('assertionEncryption')
  })

  test.each(['aes-256-gcm', 'aes-128-gcm'] as const)(
    'reads them by RSA-OAEP and %s, and plain ones too until it requires it',
    async (cipher) => {
      await addLinked('gwen')
      await change('accepted')
      const key = await findKey()
      expect(await tryAnswer('gwen', (signed) => council.respond(encryptAssertion(signed, key, { cipher })))).toBe('signed-in')
      expect(await tryAnswer('gwen', (signed) => council.respond(signed))).toBe('signed-in')
      await change('required')
      expect(await findKey(), 'the key stays').toBe(key)
      expect(await tryAnswer('gwen', (signed) => council.respond(encryptAssertion(signed, key, { cipher })))).toBe('signed-in')
      expect(await tryAnswer('gwen', (signed) => council.respond(signed))).toBe('not-encrypted')
    },
  )

  test('reads AES-CBC only if the provider signed the whole answer too, since it does not notice changes', async () => {
    await addLinked('huw')
    await change('required')
    const key = await findKey()
    const encrypted = (signed: string) => council.respond(encryptAssertion(signed, key, { cipher: 'aes-256-cbc' }))
    expect(await tryAnswer('huw', encrypted)).toBe('encryption-refused')
    expect(await tryAnswer('huw', (signed) => signElement(encrypted(signed), 'Response', council.keys))).toBe('signed-in')
    expect(await tryAnswer('huw', (signed) => signElement(encrypted(signed), 'Response', createSamlKeys()))).toBe('encryption-refused')
    const changed = (signed: string) =>
      signElement(encrypted(signed), 'Response', council.keys).replace(/(?<=<\/ds:KeyInfo>.*<xenc:CipherValue>)../, 'AA')
    expect(await tryAnswer('huw', changed), 'changed after it was signed').toBe('encryption-refused')
  })

  const wrongly: [what: string, fault: string, build: (signed: string, key: string, request: Request) => string][] = [
    ['by RSA 1.5', 'encryption-refused', (signed, key) => encryptAssertion(signed, key, { transport: 'rsa-1.5' })],
    ['by 3DES', 'encryption-refused', (signed, key) => encryptAssertion(signed, key, { cipher: 'des-ede3-cbc' })],
    ['by an unknown algorithm', 'encryption-refused', (signed, key) => encryptAssertion(signed, key).replace('aes256-gcm', 'rot13')],
    ['for somebody else', 'not-decrypted', (signed) => encryptAssertion(signed, createSamlKeys().certificate)],
    [
      'and changed afterwards',
      'not-decrypted',
      (signed, key) =>
        encryptAssertion(signed, key).replace(/(?<=<\/ds:KeyInfo>.*<xenc:CipherValue>.{40})./, (one) => (one === 'A' ? 'B' : 'A')),
    ],
    [
      'without a signature',
      'wrong-signature',
      (_, key, request) => encryptAssertion(council.writeAssertion(request, { subject: 'ifan' }), key),
    ],
    [
      'signed by somebody else',
      'wrong-signature',
      (_, key, request) => encryptAssertion(council.assert(request, { subject: 'ifan' }, { keys: createSamlKeys() }), key),
    ],
    ['changed before it was encrypted', 'wrong-signature', (signed, key) => encryptAssertion(signed.replace('ifan', 'boss'), key)],
    ['wrapped twice', 'not-understood', (signed, key) => encryptAssertion(encryptAssertion(signed, key), key)],
    ['in another element', 'not-understood', (signed, key) => encryptAssertion(`<x>${signed}</x>`, key)],
    ['with a document type inside', 'not-understood', (signed, key) => encryptAssertion(`<!DOCTYPE r [<!ENTITY a "b">]>${signed}`, key)],
    ['that is no XML', 'not-understood', (_, key) => encryptAssertion('ifan', key)],
    ['twice', 'wrong-signature', (signed, key) => encryptAssertion(signed, key).repeat(2)],
    ['beside a plain one', 'wrong-signature', (signed, key) => encryptAssertion(signed, key) + signed],
    [
      'with another one inside, which is not signed',
      'wrong-signature',
      (signed, key, request) =>
        encryptAssertion(
          signed.replace('</saml:Assertion>', `${council.writeAssertion(request, { subject: 'boss' })}</saml:Assertion>`),
          key,
        ),
    ],
  ]
  test.each(wrongly)('refuses one encrypted %s', async (_, fault, build) => {
    await addLinked('ifan')
    await addLinked('boss')
    await change('required')
    const key = await findKey()
    expect(await tryAnswer('ifan', (signed, request) => council.respond(build(signed, key, request)))).toBe(fault)
    expect(await tryAnswer('ifan', (signed) => council.respond(encryptAssertion(signed, key))), 'an honest one').toBe('signed-in')
  })

  test('refuses encrypted ones where it has none', async () => {
    await addLinked('jac')
    await change('accepted')
    const key = await findKey()
    await change('none')
    expect(await tryAnswer('jac', (signed) => council.respond(encryptAssertion(signed, key)))).toBe('not-decrypted')
    expect(await tryAnswer('jac', (signed) => council.respond(signed))).toBe('signed-in')
  })

  test('may change its keys: what is encrypted for the one before is read until the next change', async () => {
    await addLinked('kit')
    await change('required')
    const rotate = async () => {
      const relationships = { provider: { data: { type: 'identity-providers', id: provider } } }
      const document = { data: { type: 'identity-provider-keys', relationships } }
      expect((await as().post('/identity-provider-keys', document)).status).toBe(201)
    }
    const keys = [await findKey()]
    await rotate()
    keys.push(await findKey())
    const tryBoth = () => Promise.all(keys.map((key) => tryAnswer('kit', (signed) => council.respond(encryptAssertion(signed, key)))))
    expect(await tryBoth()).toEqual(['signed-in', 'signed-in'])
    await rotate()
    expect(await tryBoth()).toEqual(['not-decrypted', 'signed-in'])
  })

  test('stands on the testing page with what failed', async () => {
    await change('required')
    await changeProvider(provider, { state: 'suspended' })
    await changeProvider(provider, { state: 'testing' })
    const browser = open(admin)
    const request = await begin(browser, 'test')
    await arrive(browser, council.respond(council.assert(request, {})), request)
    const answer = await as().get(`/identity-provider-tests?filter[provider]=${provider}`)
    expect((answer.body?.data as Provider[] | undefined)?.[0]?.attributes).toMatchObject({ fault: 'not-encrypted' })
  })
})

describe('an answer that is not to be believed signs nobody in', () => {
  type Forge = (request: Request) => string
  const wrap = (request: Request, place: (evil: string, signed: string) => string) => {
    const signed = council.assert(request, { subject: 'cerys' })
    return council.respond(place(council.writeAssertion(request, { subject: 'boss' }), signed))
  }
  const withId = (evil: string, signed: string) => evil.replace(/ID="[^"]+"/, /ID="[^"]+"/.exec(signed)?.[0] ?? '')
  const dropSignature = (xml: string) => xml.replace(/<Signature[\s\S]*<\/Signature>/, '')
  const takeSignature = (xml: string) => /<Signature[\s\S]*<\/Signature>/.exec(xml)?.[0] ?? ''
  const stale = { confirmedUntil: -200, notOnOrAfter: -200, notBefore: -900 }

  const forgeries: [what: string, fault: string, forge: Forge][] = [
    ['unsigned', 'wrong-signature', (request) => council.respond(council.writeAssertion(request, { subject: 'cerys' }))],
    [
      'signed by somebody else',
      'wrong-signature',
      (request) => council.respond(council.assert(request, { subject: 'cerys' }, { keys: createSamlKeys() })),
    ],
    [
      'signed with SHA-1',
      'wrong-signature',
      (request) => council.respond(council.assert(request, { subject: 'cerys' }, { algorithms: SHA_1 })),
    ],
    [
      'changed after it was signed',
      'wrong-signature',
      (request) => council.respond(council.assert(request, { subject: 'cerys' }).replace('cerys', 'boss')),
    ],
    [
      'signed around an unsigned assertion',
      'wrong-signature',
      (request) => signElement(council.respond(council.writeAssertion(request, { subject: 'boss' })), 'Response', council.keys),
    ],
    // The eight ways of "On Breaking SAML: Be Whoever You Want to Be" (2012), as far as they differ for a signed assertion.
    ['wrapped: the forged one before the signed', 'wrong-signature', (request) => wrap(request, (evil, signed) => evil + signed)],
    ['wrapped: the forged one after the signed', 'wrong-signature', (request) => wrap(request, (evil, signed) => signed + evil)],
    [
      'wrapped: the signed one inside the forged',
      'wrong-signature',
      (request) => wrap(request, (evil, signed) => evil.replace('</saml:Assertion>', `${signed}</saml:Assertion>`)),
    ],
    [
      'wrapped: the forged one inside the signed',
      'wrong-signature',
      (request) => wrap(request, (evil, signed) => signed.replace('</saml:Assertion>', `${evil}</saml:Assertion>`)),
    ],
    [
      'wrapped: the signed one in extensions',
      'wrong-signature',
      (request) => wrap(request, (evil, signed) => `<samlp:Extensions>${signed}</samlp:Extensions>${evil}`),
    ],
    [
      'wrapped: the signed one in an object of the signature',
      'wrong-signature',
      (request) =>
        wrap(request, (evil, signed) =>
          evil.replace(
            '</saml:Issuer>',
            `</saml:Issuer>${takeSignature(signed).replace('</Signature>', `<Object>${dropSignature(signed)}</Object></Signature>`)}`,
          ),
        ),
    ],
    ['wrapped: both under one id', 'not-understood', (request) => wrap(request, (evil, signed) => withId(evil, signed) + signed)],
    ['doubled', 'not-understood', (request) => wrap(request, (_, signed) => signed + signed)],
    ['without an assertion', 'not-understood', () => council.respond('')],
    ['stale', 'expired', (request) => council.respond(council.assert(request, { subject: 'cerys', ...stale }))],
    [
      'whose confirmation has ended',
      'expired',
      (request) => council.respond(council.assert(request, { subject: 'cerys', confirmedUntil: -200 })),
    ],
    ['from the future', 'expired', (request) => council.respond(council.assert(request, { subject: 'cerys', notBefore: 200 }))],
    ['issued in the future', 'expired', (request) => council.respond(council.assert(request, { subject: 'cerys', issued: 180 }))],
    [
      'of somebody who signs in there only later',
      'expired',
      (request) => council.respond(council.assert(request, { subject: 'cerys', authenticated: 180 })),
    ],
    [
      'whose confirmation holds only later',
      'expired',
      (request) => council.respond(council.assert(request, { subject: 'cerys', confirmedFrom: 180 })),
    ],
    [
      'for another audience',
      'wrong-audience',
      (request) => council.respond(council.assert(request, { subject: 'cerys', audience: 'https://elsewhere.example' })),
    ],
    [
      'for another recipient',
      'wrong-audience',
      (request) => council.respond(council.assert(request, { subject: 'cerys', recipient: 'https://elsewhere.example' })),
    ],
    [
      'of another issuer',
      'wrong-issuer',
      (request) => council.respond(council.assert(request, { subject: 'cerys', issuer: 'https://elsewhere.example' })),
    ],
    ['to no request', 'started-elsewhere', (request) => council.respond(council.assert(request, { subject: 'cerys', inResponseTo: '' }))],
    [
      'to another request',
      'started-elsewhere',
      (request) => council.respond(council.assert(request, { subject: 'cerys', inResponseTo: createXmlId() })),
    ],
    [
      'with a name that changes each time',
      'not-understood',
      (request) => council.respond(council.assert(request, { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' })),
    ],
    [
      'with entities',
      'not-understood',
      (request) =>
        council.respond(council.assert(request, { subject: 'cerys' }), {
          prolog: '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
        }),
    ],
    [
      'with an external entity',
      'not-understood',
      (request) => council.respond(council.assert(request, { subject: 'cerys' }), { prolog: '<!DOCTYPE r SYSTEM "file:///etc/passwd">' }),
    ],
    [
      'with a comment in the name',
      'not-understood',
      (request) => council.respond(council.assert(request, { subject: 'boss<!-- -->.evil' })),
    ],
    ['that is no XML', 'not-understood', () => 'SAML'],
    [
      'with more elements than a provider sends',
      'not-understood',
      (request) => council.respond(`${council.assert(request)}${'<a/>'.repeat(1000)}`),
    ],
    ['nested deeper than a provider does', 'not-understood', (request) => council.respond(`${council.assert(request)}${nest(40, '<a>')}`)],
  ]
  test.each(forgeries)('it is refused, and an honest one is not: %s', async (_, fault, forge) => {
    await addLinked('cerys')
    await addLinked('boss')
    const browser = open()
    const request = await begin(browser)
    expect(await readSignInFault(arrive(browser, forge(request), request))).toBe(fault)
    expect((await browser.viewer()).kind).toBe('visitor')
    // The same settings believe an honest one.
    const honest = open()
    await signIn(honest, { subject: 'cerys' })
    expect((await honest.viewer()).kind).toBe('user')
  })

  test('of somebody in hundreds of groups is believed, as some providers write it', async () => {
    const person = await addLinked('elin')
    const browser = open()
    const request = await begin(browser)
    const groups = Array.from({ length: 500 }, (_, at) => `CN=Group ${at},OU=Groups,DC=council,DC=example`)
    const typed =
      '<saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">'
    const assertion = council
      .writeAssertion(request, { subject: 'elin', attributes: { groups } })
      .replaceAll('<saml:AttributeValue>', typed)
    const signed = signElement(assertion, 'Assertion', council.keys)
    await arrive(browser, signElement(council.respond(signed), 'Response', council.keys), request)
    expect(await browser.viewer()).toMatchObject({ id: person.id })
  })

  /** Of about 190 kB each. An honest answer takes 20 ms. */
  test.each([
    ['namespaces', () => Array.from({ length: 8200 }, (_, at) => `<a xmlns:n${at}="u">`).join('') + '</a>'.repeat(8200)],
    ['namespaces of one name', () => nest(10_000, '<a xmlns="u">')],
    ['elements', () => nest(25_000, '<a>')],
    ['attributes', () => `<a ${Array.from({ length: 20_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`],
    ['ids', () => Array.from({ length: 10_000 }, (_, at) => `<a ID="a${at}"/>`).join('')],
    ['angle brackets', () => '<'.repeat(200_000)],
    [
      'prefixes for each of its elements',
      () => `<a xmlns="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="${'a '.repeat(100_000)}"/>${'<b/>'.repeat(900)}`,
    ],
  ])('that is made of %s is refused before it costs much', async (_, inside) => {
    const request = await begin(open())
    const hostile = council.respond(council.assert(request) + inside())
    const stopClock = startCpuClock()
    expect((await sendRedirectedAnswer(hostile, request.state)).searchParams.get('fault')).toBe('not-understood')
    expect(stopClock()).toBeLessThan(200)
  })

  test('sent a second time, in the same browser or another', async () => {
    await addLinked('dai')
    const browser = open()
    const request = await begin(browser)
    const xml = council.respond(council.assert(request, { subject: 'dai' }))
    const first = await sendRedirectedAnswer(xml, request.state)
    expect((await sendRedirectedAnswer(xml, request.state)).searchParams.get('fault')).toBe('used-before')
    await browser.arrive(provider, first.searchParams)
    expect(await readSignInFault(browser.arrive(provider, first.searchParams))).toBe('used-before')
    expect(await createCtx(runtime, site).db.read((tx) => tx.select().from(samlAnswers))).toEqual([])
  })

  test('brought to a browser that began no sign-in, or another one', async () => {
    await addLinked('eira')
    const attacker = open()
    const theirs = await begin(attacker)
    const callback = (await sendRedirectedAnswer(council.respond(council.assert(theirs, { subject: 'eira' })), theirs.state)).searchParams
    expect(await readSignInFault(open().arrive(provider, callback)), 'no cookie').toBe('started-elsewhere')
    const victim = open()
    const own = await begin(victim)
    const mixed = new URLSearchParams({ state: own.state, answer: callback.get('answer') ?? '' })
    expect(await readSignInFault(victim.arrive(provider, mixed)), 'another request').toBe('started-elsewhere')
    expect((await victim.viewer()).kind).toBe('visitor')
  })

  test('of another site’s provider with the same key', async () => {
    await addLinked('ffion')
    const browser = open()
    const request = await begin(browser)
    const xml = council.respond(council.assert(request, { subject: 'ffion' }))
    const elsewhere = await addSite(runtime, { slug: `o${createId()}` })
    expect((await sendAnswer(xml, request.state, provider, elsewhere)).status).toBe(404)
  })
})
