import type { OutgoingHttpHeaders } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { sendRequest } from '#tests/support/send-request.ts'
import {
  buildCallPayload,
  fillPath,
  listOperations,
  listRoutePaths,
  listServerFunctions,
  type ServerFunction,
} from '#tests/support/every-endpoint.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase, type OwnProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const db = await createOwnDatabase()
let product: OwnProduct
let site: Site
let token: string

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'mill' })
  token = (await addPerson(db.runtime, site, { role: 'site_admin' })).token
  product = await db.start()
})

/** Sends a request as the site's administrator, so that hardly anything is refused for lack of permission. */
function send(
  path: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: OutgoingHttpHeaders; body?: string } = {},
) {
  const host = `${site.host}:${product.product.port}`
  const own = { host, origin: `http://${host}`, cookie: `token=${token}`, 'content-length': Buffer.byteLength(body), ...headers }
  return sendRequest(product.product.port, path, own, method, body)
}

/** Sends all of them, a few at a time. @returns the names and statuses of those with an unexpected response */
async function listWrong<T>(
  all: readonly T[],
  of: (one: T) => { name: string; sent: ReturnType<typeof send>; isRight: (status: number) => boolean },
): Promise<string[]> {
  const wrong: string[] = []
  const left = [...all]
  const work = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const { name, sent, isRight } = of(one)
      const { status } = await sent
      if (!isRight(status)) wrong.push(`${status} ${name}`)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return wrong.toSorted()
}

const isRefused = (status: number) => status >= 400 && status < 500
const isNoFault = (status: number) => status >= 200 && status < 500

const nest = (depth: number): unknown => (depth === 0 ? 'end' : [nest(depth - 1)])
const prototypes: unknown = JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"toString":1}')

describe('a server function', () => {
  const functions = listServerFunctions()

  const call = ({ id }: ServerFunction, method: 'GET' | 'POST', payload: string) =>
    method === 'GET'
      ? send(`/_serverFn/${id}?payload=${encodeURIComponent(payload)}`, { headers: { 'x-tsr-serverfn': 'true' } })
      : send(`/_serverFn/${id}`, { method, body: payload, headers: { 'x-tsr-serverfn': 'true', 'content-type': 'application/json' } })

  test("is listed in the build's manifest", () => {
    expect(functions.length).toBeGreaterThanOrEqual(59)
    expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(['readSurvey', 'keepAnswers', 'readDataset', 'getReach']))
  })

  /** These take a page's query, in which broken values count as missing, or an object without required members. */
  const NEEDS_NO_MEMBER = new Set([
    'readProjects',
    'readSearch',
    'readVerifying',
    'getReach',
    'getReachSummary',
    'getReport',
    'getCalendar',
    'readJourney',
    'readOwnAnswers',
    'readOwnContributions',
    'startPasskeyUse',
    'getDesk',
    'loadDesk',
  ])

  test.each<[string, unknown]>([
    ['null', null],
    ['a number', 7],
    ['a text', 'junk'],
    ['a list', [1, 'two', null]],
    ['a huge text', 'x'.repeat(900)],
    ['lists a hundred deep', nest(100)],
    ['keys of prototypes', prototypes],
    [
      'a member of every wrong type',
      Object.fromEntries(
        ['slug', 'token', 'id', 'page', 'project', 'search', 'survey', 'hub', 'host', 'q'].map((name) => [name, { no: [false] }]),
      ),
    ],
    ['numbers that no column holds', Object.fromEntries(['page', 'number', 'version', 'limit', 'offset'].map((name) => [name, 1e21]))],
  ])('called with %s is refused', async (_, data) => {
    const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
    const sent = functions.flatMap((one) => (['GET', 'POST'] as const).map((method) => ({ one, method })))
    const wrong = await listWrong(sent, ({ one, method }) => ({
      name: `${one.name} (${method})`,
      sent: call(one, method, buildCallPayload(data)),
      isRight: isObject && NEEDS_NO_MEMBER.has(one.name) ? isNoFault : isRefused,
    }))
    expect(wrong).toEqual([])
  })

  test.each([
    ['no JSON', '{"t":'],
    ['JSON of another format', '{"data":{"slug":"a"}}'],
    ['a list of nothing', '[]'],
    ['a node of no kind', '{"t":{"t":99},"f":127,"m":[]}'],
    ['a number that is none', '{"t":{"t":3,"s":"junk"},"f":127,"m":[]}'],
    ['nodes a thousand deep', `{"t":${'{"t":9,"i":0,"a":['.repeat(80)}{"t":0,"s":1}${'],"o":0}'.repeat(80)},"f":127,"m":[]}`],
  ])('sent %s is refused', async (_, payload) => {
    const sent = functions.flatMap((one) => (['GET', 'POST'] as const).map((method) => ({ one, method })))
    const wrong = await listWrong(sent, ({ one, method }) => ({
      name: `${one.name} (${method})`,
      sent: call(one, method, payload),
      isRight: isRefused,
    }))
    expect(wrong).toEqual([])
  })

  test('sent a form, a text or nothing by POST is refused or reads nothing of it', async () => {
    const bodies = [
      ['application/x-www-form-urlencoded', 'slug=a&__TSS_CONTEXT=%7B'],
      ['multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="slug"\r\n\r\na\r\n--b--\r\n'],
      ['multipart/form-data', 'junk'],
      ['text/plain', 'junk'],
      ['application/json', ''],
    ] as const
    const sent = functions.flatMap((one) => bodies.map(([type, body]) => ({ one, type, body })))
    const wrong = await listWrong(sent, ({ one, type, body }) => ({
      name: `${one.name} (${type})`,
      sent: send(`/_serverFn/${one.id}`, { method: 'POST', body, headers: { 'content-type': type, 'x-tsr-serverfn': 'true' } }),
      isRight: isNoFault,
    }))
    expect(wrong).toEqual([])
  })

  test('that does not exist is not found', async () => {
    for (const id of ['', '0'.repeat(64), '__proto__', 'constructor', '%E2%80%A8', 'a'.repeat(2000)])
      expect([400, 404], id).toContain((await send(`/_serverFn/${id}`)).status)
  })
})

/** Already encoded for a URL. */
const ODD_PARTS = [
  '7',
  'x'.repeat(1500),
  'x-'.repeat(40),
  '%E2%80%A8',
  '%F0%9F%8F%A1',
  '%00',
  '%c3%28',
  '%zz',
  '%2e%2e%2f',
  '%25%32%30',
  '%0d%0aset-cookie:x=y',
  '__proto__',
  'constructor',
  '00000000-0000-0000-0000-000000000000',
  "' or 1=1--",
].map((part) => part.replaceAll(' ', '%20'))

describe('an address', () => {
  const withParts = listRoutePaths().filter((path) => path.includes('$'))

  test('with an unknown part is refused or not found, in each language', async () => {
    expect(withParts.length).toBeGreaterThan(40)
    const asked = withParts.flatMap((path) => ODD_PARTS.map((part, at) => `${['', '/fr-CA', '/cy'][at % 3]}${fillPath(path, part)}`))
    const wrong = await listWrong(asked, (path) => ({
      name: path,
      sent: send(path, { headers: { accept: 'text/html' } }),
      isRight: (status) => status >= 200 && status < 500,
    }))
    expect(wrong).toEqual([])
  })

  test('with an unknown or broken query is not an error', async () => {
    const odd = [
      'page=%E2%80%A8',
      'q=%F0%9F%8F%A1%00',
      'q=%ff',
      `q=${'x'.repeat(3500)}`,
      'page[a]=1&page[a]=2',
      '__proto__=1&constructor=2',
      'lng=%E2%80%A8',
      'token=%E2%80%A9',
      'preview=%25&resume=7.x&invitation=%E2%80%A8&step=__proto__',
      '%',
    ]
    const asked = listRoutePaths().flatMap((path) => odd.map((query) => `${fillPath(path, 'none')}?${query}`))
    expect(
      await listWrong(asked, (path) => ({ name: path, sent: send(path, { headers: { accept: 'text/html' } }), isRight: isNoFault })),
    ).toEqual([])
  })

  test('of the API with an invalid id is not found', async () => {
    const described: unknown = JSON.parse((await send('/api/v2/openapi.json')).text)
    const operations = listOperations(described).filter(({ path }) => path.includes('{id}'))
    expect(operations.length).toBeGreaterThan(100)
    const asked = operations.flatMap((operation) => ODD_PARTS.map((part) => ({ ...operation, path: fillPath(operation.path, part) })))
    const wrong = await listWrong(asked, ({ method, path }) => ({
      name: `${method} ${path}`,
      sent: send(`/api/v2${path}`, {
        method,
        headers: { 'x-api-token': `Bearer ${token}`, accept: 'application/vnd.api+json', 'content-type': 'application/vnd.api+json' },
        body: method === 'GET' || method === 'DELETE' ? '' : '{"data":{"type":"none"}}',
      }),
      isRight: isRefused,
    }))
    expect(wrong).toEqual([])
  })
})

describe('a form', () => {
  const fields = [
    'form',
    'consent',
    'back',
    'next',
    'return',
    'email',
    'login',
    'password',
    'token',
    'code',
    'phone',
    'project',
    'step',
    'go',
    'shown',
    'version',
    'id',
    'sendKey',
    'website',
    'area',
    'file',
    'language',
  ]

  test.each([
    ['a line separator', '\u2028'],
    ['an emoji', '🏡'],
    ['a null character', 'a\0b'],
    ['half a surrogate pair', '\ud800'],
    ['a thousand letters', 'x'.repeat(1000)],
    ['a line break', 'a\r\nset-cookie: x=y'],
  ])('with %s in its fields or its address causes no internal error', async (_, value) => {
    const asked = listRoutePaths().flatMap((path) =>
      ['', 'granted'].map((consent) => ({ path: fillPath(path, encodeURIComponent(value.toWellFormed()).slice(0, 1500)), consent })),
    )
    const encoded = encodeURIComponent(value.toWellFormed())
    const wrong = await listWrong(asked, ({ path, consent }) => ({
      name: path,
      sent: send(path, {
        method: 'POST',
        headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', cookie: '' },
        body: fields
          .map((name) => `${name}=${name === 'consent' && consent ? consent : name === 'back' ? `%2F${encoded}` : encoded}`)
          .join('&'),
      }),
      isRight: isNoFault,
    }))
    expect(wrong).toEqual([])
  })
})
