import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { JOBS } from '#app/root/jobs.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { startListener } from '#tests/support/portals/listen.ts'
import { createSamlKeys } from '#tests/support/saml-provider.ts'
import { identityProviders } from '#app/server/db/schema/identity.ts'
import { eq } from 'drizzle-orm'

const ISSUER = 'https://login.council.example/saml'
const [first, second, other] = [createSamlKeys().certificate, createSamlKeys().certificate, createSamlKeys().certificate]
const strip = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '')

/** Metadata as a provider publishes them (SAML 2.0 Metadata, 2.4.3). */
const write = ({ issuer = ISSUER, sso = 'https://127.0.0.1/sso', certificates = [first], prolog = '', more = '' } = {}) =>
  `${prolog}<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${issuer}"${more}>
<md:IDPSSODescriptor WantAuthnRequestsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
${certificates.map((pem) => `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\n${strip(pem)}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`).join('')}
<md:KeyDescriptor use="encryption"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${strip(other)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://127.0.0.1/post"/>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${sso}"/>
</md:IDPSSODescriptor></md:EntityDescriptor>`

let runtime: TestRuntime
let site: Site
let admin: Person
let published: string
let asked = 0
let server: Awaited<ReturnType<typeof startListener>>

beforeAll(async () => {
  runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
  server = await startListener((url, response) => {
    asked += 1
    response.writeHead(url.pathname === '/metadata' ? 200 : 404, { 'content-type': 'application/samlmetadata+xml' }).end(published)
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  site = await addSite(runtime, { slug: `s${crypto.randomUUID()}` })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  published = write()
  runtime.setNow(new Date())
})

const api = () => createApiClient(runtime, site, admin.token)
const add = (more: Record<string, unknown> = {}) =>
  api().post(
    '/identity-providers',
    buildResourceDocument('identity-providers', {
      name: 'Council',
      protocol: 'saml',
      metadataAddress: `${server.origin}/metadata`,
      ...more,
    }),
  )
interface Shown {
  id: string
  attributes: {
    issuer: string
    ssoUrl: string
    certificates: string[]
    signsRequests: boolean
    metadataReadAt: string
    metadataFailed: boolean
  }
}
const shown = (answer: ApiAnswer) => answer.body?.data as Shown
const read = async (id: string) => shown(await api().get(`/identity-providers/${id}`)).attributes
const activate = (id: string) =>
  runtime.database.site(site.id).tx((tx) => tx.update(identityProviders).set({ state: 'active' }).where(eq(identityProviders.id, id)))
const runJob = () => JOBS.find(({ name }) => name === 'remind-of-certificates')?.run(runtime, AbortSignal.timeout(60_000))
const pass = (hours: number) => runtime.setNow(new Date(runtime.now().getTime() + hours * 3_600_000))

test('the metadata at an address say everything that a SAML provider needs', async () => {
  const made = await add()
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { issuer, ssoUrl, certificates, signsRequests, metadataFailed } = shown(made).attributes
  expect({ issuer, ssoUrl, signsRequests, metadataFailed }).toEqual({
    issuer: ISSUER,
    ssoUrl: 'https://127.0.0.1/sso',
    signsRequests: true,
    metadataFailed: false,
  })
  expect(certificates.map(strip)).toEqual([strip(first)])
})

test.each<[string, () => string]>([
  ['a document type', () => write({ prolog: '<!DOCTYPE x [<!ENTITY a "b">]>' })],
  ['no XML', () => '{"issuer":"x"}'],
  ['two providers', () => `<a>${write()}${write({ issuer: 'https://another.example' })}</a>`],
  ['no certificate', () => write({ certificates: [] })],
  ['no address at https', () => write({ sso: 'not an address' })],
  ['metadata that ended', () => write({ more: ' validUntil="2020-01-01T00:00:00Z"' })],
  ['elements nested a thousand deep', () => '<a>'.repeat(1000) + '</a>'.repeat(1000)],
  ['more than a provider says', () => write({ more: ` x="${'y'.repeat(600_000)}"` })],
])('%s at the address is refused at its field', async (_name, publish) => {
  published = publish()
  const refused = await add()
  expect([refused.status, refused.codes, refused.body?.errors?.[0]?.source?.pointer]).toEqual([
    422,
    ['metadata-unreadable'],
    '/data/attributes/metadataAddress',
  ])
})

test('an address of this machine, without encryption or without an answer is not read', async () => {
  expect((await add({ metadataAddress: `${server.origin}/nothing` })).codes).toEqual(['metadata-unreadable'])
  const strict = await createTestRuntime()
  const home = await addSite(strict)
  const { token } = await addPerson(strict, home, { role: 'site_admin' })
  const before = asked
  for (const [metadataAddress, code] of [
    ['https://127.0.0.1/metadata', 'not-public'],
    ['https://169.254.169.254/latest', 'not-public'],
    ['http://login.example.org/metadata', 'not-encrypted'],
  ]) {
    const document = buildResourceDocument('identity-providers', { name: 'Council', protocol: 'saml', metadataAddress })
    expect((await createApiClient(strict, home, token).post('/identity-providers', document)).codes).toEqual([code])
  }
  expect(asked).toBe(before)
})

test('the metadata of an active provider are read again once a day, and its next certificate is taken over', async () => {
  const { id } = shown(await add())
  await activate(id)
  published = write({ certificates: [first, second] })
  await runJob()
  expect((await read(id)).certificates).toHaveLength(1)
  pass(25)
  await runJob()
  expect((await read(id)).certificates.map(strip)).toEqual([strip(first), strip(second)])
  const before = asked
  await runJob()
  expect(asked).toBe(before)
})

test('what cannot be read, or is another provider’s, changes nothing and is said', async () => {
  const { id } = shown(await add())
  await activate(id)
  for (const wrong of ['gone', write({ issuer: 'https://another.example/saml', certificates: [second] })]) {
    published = wrong
    pass(25)
    await runJob()
    const { issuer, certificates, metadataFailed } = await read(id)
    expect([issuer, certificates.map(strip), metadataFailed]).toEqual([ISSUER, [strip(first)], true])
  }
  published = write({ certificates: [second] })
  await runJob()
  expect(await read(id)).toMatchObject({ metadataFailed: false })
  expect((await read(id)).certificates.map(strip)).toEqual([strip(second)])
})
