import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#app/server/db/client.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addProject, fixtureApi, signIn } from './engine-fixture.ts'

const MEDIA_TYPE = 'application/vnd.api+json'
const { handle } = fixtureApi()
let runtime: TestRuntime
let token = ''
let id = ''

async function send(method: string, path: string, headers: Record<string, string> = {}, body?: BodyInit) {
  const request = new Request(`http://riverbend.localhost/api/v2${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  })
  const response = await handle(request, runtime, { address: null })
  const text = await response.text()
  const doc = text
    ? (JSON.parse(text) as { errors?: { code: string; title: string; detail?: string; source?: unknown }[] } & Record<string, unknown>)
    : undefined
  return { status: response.status, headers: response.headers, text, doc, codes: doc?.errors?.map((error) => error.code) }
}
const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  send('POST', '/doors', { 'content-type': MEDIA_TYPE, ...headers }, body)
const door = (code: unknown) => JSON.stringify({ data: { type: 'doors', attributes: { code } } })

beforeAll(async () => {
  runtime = await createTestRuntime()
  const site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA', 'cy'] })
  id = await addProject(runtime, site, { slug: 'a' })
  token = await signIn(runtime, site)
})

describe('content negotiation', () => {
  it.each([
    undefined,
    '*/*',
    'application/*',
    MEDIA_TYPE,
    `${MEDIA_TYPE};profile="https://example.org/a, b"`,
    'application/json',
    `text/html, ${MEDIA_TYPE};q=0.1`,
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    `${MEDIA_TYPE};charset=utf-8, ${MEDIA_TYPE}`,
    `${MEDIA_TYPE};ext=""`,
  ])('serves a client that accepts %s', async (accept) => {
    const { status, headers } = await send('GET', '/projects', accept === undefined ? {} : { accept })
    expect([status, headers.get('content-type')]).toEqual([200, MEDIA_TYPE])
  })

  it.each([
    'text/html',
    `${MEDIA_TYPE};charset=utf-8`,
    `${MEDIA_TYPE};ext="https://example.org/ext"`,
    `${MEDIA_TYPE};q=0, */*`,
    'application/json;q=0',
    'nonsense',
  ])('responds 406 to a client that accepts only %s', async (accept) => {
    const { status, codes, headers } = await send('GET', '/projects', { accept })
    expect([status, codes, headers.get('content-type')]).toEqual([406, ['not-acceptable'], MEDIA_TYPE])
  })

  it.each([
    MEDIA_TYPE,
    `${MEDIA_TYPE}; profile="https://example.org/p"`,
    'application/json',
    'application/json;charset=UTF-8',
    'APPLICATION/VND.API+JSON',
  ])('reads %s', async (type) => {
    expect((await post(door('1'), { 'content-type': type })).status).toBe(201)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    `${MEDIA_TYPE}; charset=utf-8`,
    `${MEDIA_TYPE}; ext="https://example.org/ext"`,
    'application/json; charset=latin1',
    'application/jsonp',
    '',
  ])('responds 415 to a body of type “%s”', async (type) => {
    const { status, codes } = await post(door('1'), { 'content-type': type })
    expect([status, codes]).toEqual([415, ['unsupported-media-type']])
  })

  it('declares what responses vary on', async () => {
    for (const path of ['/projects', '/nowhere'])
      expect((await send('GET', path)).headers.get('vary')).toBe('Accept, Accept-Language, x-api-token')
  })

  it('uses the language of the request, or else of the site', async () => {
    const title = async (language?: string) =>
      (await send('GET', '/nowhere', language ? { 'accept-language': language } : {})).doc?.errors?.[0]?.title
    expect(await title()).toBe('We could not find this.')
    expect(await title('de')).toBe('We could not find this.')
    expect(await title('de, fr-FR;q=0.5')).toBe('Cet élément est introuvable.')
    expect(await title('en;q=0.1, cy;q=0.9')).toBe('Ni ellid dod o hyd i hyn.')
  })
})

describe('methods', () => {
  it('that are not allowed get 405 with the allowed ones', async () => {
    for (const [method, path, allow] of [
      ['DELETE', '/projects', 'GET, HEAD, POST, OPTIONS'],
      ['POST', `/projects/${id}`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
      ['PUT', `/projects/${id}`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
      ['POST', '', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const { status, codes, headers } = await send(method, path)
      expect([method, path, status, codes, headers.get('allow')]).toEqual([method, path, 405, ['method-not-allowed'], allow])
    }
  })

  it('are listed by OPTIONS', async () => {
    const { status, headers, text } = await send('OPTIONS', '/projects', { 'x-api-token': 'Bearer dead' })
    expect([status, headers.get('allow'), text]).toEqual([204, 'GET, HEAD, POST, OPTIONS', ''])
    expect((await send('OPTIONS', '/nowhere')).status).toBe(404)
  })

  it('HEAD responds like GET, without the body', async () => {
    const get = await send('GET', `/projects/${id}`)
    const head = await send('HEAD', `/projects/${id}`)
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(Buffer.byteLength(get.text))])
  })
})

describe('paths', () => {
  it.each([
    '/nowhere',
    '/projects/x/y/z',
    '/__proto__',
    '/constructor',
    `/projects/%E0%A4%A`,
    '/openapi.json/x',
    `/projects//hub`,
    '/topics',
    '/doors/1',
  ])('%s is not found', async (path) => {
    expect((await send('GET', path)).status).toBe(404)
  })

  it('may end in a slash', async () => {
    expect((await send('GET', '/projects/')).status).toBe(200)
  })

  it('start at a document that lists them', async () => {
    const { doc } = await send('GET', '')
    expect(doc).toMatchObject({
      jsonapi: { version: '1.1' },
      links: { self: '/api/v2', describedby: '/api/v2/openapi.json', projects: '/api/v2/projects', weather: '/api/v2/weather' },
    })
  })
})

describe('the viewer', () => {
  it('is identified by x-api-token only', async () => {
    const viewer = async (headers: Record<string, string>) =>
      ((await send('GET', '/weather', headers)).doc?.['data'] as { attributes: { viewer: string | null } } | undefined)?.attributes.viewer
    expect(await viewer({ 'x-api-token': `Bearer ${token}` })).toBe('ana@example.org')
    expect(await viewer({ 'x-api-token': `bearer  ${token}` })).toBe('ana@example.org')
    expect(await viewer({ cookie: `token=${token}`, authorization: `Bearer ${token}` })).toBeNull()
  })

  it.each(['Bearer unknown', 'Bearer ', 'Basic abc', '', 'Bearer a b', `Bearer ${'x'.repeat(5000)}`])(
    'with the token “%s” is refused rather than treated as a visitor',
    async (header) => {
      const { status, codes, headers } = await send('GET', '/projects', { 'x-api-token': header })
      expect([status, codes]).toEqual([401, ['unauthenticated']])
      expect(headers.get('www-authenticate')).toContain('invalid_token')
      expect(headers.get('cache-control')).toBe('private, no-store')
    },
  )

  it('can sign in despite an expired token', async () => {
    expect((await post(door('1'), { 'x-api-token': 'Bearer dead' })).status).toBe(201)
  })
})

describe('bodies', () => {
  it('that are compressed are refused', async () => {
    expect((await post(door('1'), { 'content-encoding': 'gzip' })).status).toBe(415)
  })

  it('that are cut off are a client error', async () => {
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('aborted')) })
    const { status, codes } = await post(broken)
    expect([status, codes]).toEqual([400, ['bad-request']])
  })

  it('that are not JSON are malformed', async () => {
    for (const body of ['', '{', '{"data":', 'null null', '<xml/>', new Uint8Array([0xff, 0xfe, 0x00])]) {
      const { status, codes, doc } = await post(body)
      expect([status, codes, doc?.errors?.[0]?.source]).toEqual([400, ['malformed-json'], { pointer: '' }])
    }
  })

  it('over one megabyte are refused without reading them', async () => {
    expect((await post(door('x'.repeat(1_000_001)))).status).toBe(413)
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(100_000))
      },
    })
    const { status, codes } = await post(endless)
    expect([status, codes]).toEqual([413, ['too-large']])
    expect(pulled).toBeLessThan(20)
  })

  it.each([
    ['{"data":{"type":"doors","attributes":{"__proto__":{"admin":true}}}}', '/data/attributes/__proto__'],
    ['{"data":{"type":"doors","attributes":{"constructor":1}}}', '/data/attributes/constructor'],
    [String.raw`{"data":{"type":"doors","attributes":{"code":"a\u0000b"}}}`, '/data/attributes/code'],
    [String.raw`{"data":{"type":"doors","attributes":{"code":"\ud800"}}}`, '/data/attributes/code'],
    ['{"data":{"type":"doors","attributes":{"code":1e999}}}', '/data/attributes/code'],
  ])('with unsafe content are refused: %s', async (body, pointer) => {
    const { status, codes, doc } = await post(body)
    expect([status, codes, doc?.errors?.[0]?.source]).toEqual([400, ['bad-request'], { pointer }])
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })

  it('cannot be nested too deeply', async () => {
    expect((await post(`${'['.repeat(5000)}${']'.repeat(5000)}`)).status).toBe(400)
    expect((await post(`${'['.repeat(400_000)}${']'.repeat(400_000)}`)).status).toBe(413)
    expect((await post(door(JSON.parse('[1,'.repeat(40) + '1' + ']'.repeat(40))))).status).toBe(400)
  })
})

describe('headers', () => {
  it('keep authenticated responses out of caches, and identify the request', async () => {
    const { headers } = await send('GET', '/projects', { 'x-api-token': `Bearer ${token}` })
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('an unreachable database', () => {
  it('gives 503 without details', async () => {
    const database = openDatabase('postgres://nobody:secret@127.0.0.1:1/none', { max: 1 })
    const sites = { find: () => runtime.sites.find('riverbend.localhost') } as unknown as typeof runtime.sites
    const request = new Request('http://riverbend.localhost/api/v2/projects')
    const response = await handle(request, { ...runtime, database, sites }, { address: null })
    const text = await response.text()
    expect([response.status, (JSON.parse(text) as { errors: { code: string }[] }).errors[0]?.code]).toEqual([503, 'unavailable'])
    expect(text).not.toMatch(/secret|127\.0\.0\.1|ECONN/)
    await database.close()
  })
})

describe('the detail of an error', () => {
  it('is in the language of the request, in words for people', async () => {
    const detailIn = async (language: string, body: string) =>
      (await send('POST', '/projects', { 'content-type': MEDIA_TYPE, 'x-api-token': `Bearer ${token}`, 'accept-language': language }, body))
        .doc?.errors?.[0]?.detail
    expect(await detailIn('fr-CA', '{}')).toBe('Le document ne contient pas `data`.')
    expect(await detailIn('cy', '{}')).toBe('Nid oes `data` yn y ddogfen.')
    expect(await detailIn('fr-CA', '{"data":{')).toMatch(/^Le JSON n’est pas valide|^Le JSON se termine trop tôt/)
  })

  it('never shows what a validator looks for', async () => {
    const body = JSON.stringify({
      data: { type: 'projects', id: 'no id', attributes: { slug: 'x'.repeat(30), opensAt: 'soon', titleTranslations: [] } },
    })
    const { doc } = await send('POST', '/projects', { 'content-type': MEDIA_TYPE, 'x-api-token': `Bearer ${token}` }, body)
    expect(doc?.errors?.length).toBeGreaterThan(2)
    for (const { detail } of doc?.errors ?? []) expect(detail ?? '').not.toMatch(/Invalid|Expected|received|\^|\$/)
    const filtered = await send('GET', '/projects?filter[hub]=x&lng=fr-CA')
    expect(filtered.doc?.errors?.[0]?.detail).not.toMatch(/Invalid|Expected|received/)
  })
})
