import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Product, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite } from '#tests/support/running-product.ts'

const dir = temporaryFolder('hostile')
const DATA_DIR = join(dir, 'data')
const HOST = 'mill.localhost'
let product: Product

beforeAll(async () => {
  const settings = { DATA_DIR, NO_DEMO: '1', LOG_LEVEL: 'warn' }
  product = await startProduct(settings)
  await createSite({ ...settings, PORT: String(product.port) }, HOST, 'Mill Town')
})
afterAll(async () => {
  await product.stop()
  rmSync(dir, { recursive: true, force: true })
})
/** After any input the product still responds and has logged no bug of its own. */
afterEach(async () => {
  const { status } = await fetch(`${product.origin}/readyz`)
  const defects = product
    .output()
    .split('\n')
    .filter((line) => /"level":"error"|UnhandledPromise|^ {4}at /.test(line))
  if (status !== 200 || defects.length) throw new Error(`readyz ${status}\n${defects.join('\n')}`)
})

/** Sends raw bytes and returns what comes back until the connection ends or pauses. */
async function raw(...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect(product.port, '127.0.0.1')
  const heard: Buffer[] = []
  socket.on('data', (chunk) => heard.push(chunk))
  socket.on('error', () => {})
  await once(socket, 'connect')
  for (const part of parts) if (!socket.destroyed) socket.write(part)
  const deadline = Date.now() + 10_000
  while (!socket.destroyed && Date.now() < deadline) {
    await wait(20)
    if (isWhole(Buffer.concat(heard).toString())) break
  }
  socket.destroy()
  return Buffer.concat(heard).toString()
}

function isWhole(text: string): boolean {
  if (text.endsWith('\r\n0\r\n\r\n')) return true
  const end = text.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(text)?.[1]
  return end > 0 && length !== undefined && Buffer.byteLength(text.slice(end + 4)) >= Number(length)
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)
const ask = (target: string, headers = '', method = 'GET') =>
  raw(`${method} ${target} HTTP/1.1\r\nHost: ${HOST}\r\n${headers}Connection: close\r\n\r\n`)

describe('addresses', () => {
  test.each([
    ['half a percent sign', '/%zz'],
    ['a bare percent sign', '/%'],
    ['bytes that are no text', '/%c3%28'],
    ['a null byte', '/projects/%00'],
    ['a null byte in a query', '/projects?q=%00'],
    ['a backslash', '/a\\b'],
    ['hidden backslashes', '/%5c%5cattacker.example'],
    ['a line break', '/a%0d%0aset-cookie:x=y'],
    ['five thousand characters', `/${'a'.repeat(5000)}`],
    ['no path', '*'],
  ])('with %s are refused with a page', async (_, target) => {
    const answer = await ask(target)
    expect(statusOf(answer), answer.slice(0, 200)).toBe(400)
    expect(answer).toContain('<title>This address does not work</title>')
    expect(answer.toLowerCase()).not.toContain('\r\nset-cookie: x=y')
  })

  test.each(['//attacker.example/', '///attacker.example', '/\\attacker.example'])('%s cannot redirect to another site', async (target) => {
    const location = /location: (.*)\r/i.exec(await ask(target))?.[1]
    if (location !== undefined) expect(location).toMatch(/^\/[^/\\]/)
    const absolute = await raw(`GET http://attacker.example/ HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`)
    expect(statusOf(absolute)).toBe(400)
  })

  test.each(['/nowhere', '/projects/none', '/__proto__', '/constructor', "/' or 1=1 --", '/hubs/<script>'])(
    '%s does not exist',
    async (target) => {
      const answer = await ask(encodeURI(target))
      expect(statusOf(answer), answer.slice(0, 300)).toBe(404)
    },
  )

  test.each(['/projects?page=-1', '/projects?page=1e9', '/projects?sort=__proto__'])(
    '%s shows the list, since a query that means nothing is ignored',
    async (target) => {
      const answer = await ask(target)
      expect(statusOf(answer), answer.slice(0, 300)).toBe(200)
    },
  )
})

describe('requests that are not quite HTTP', () => {
  test.each([
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two hosts', `GET / HTTP/1.1\r\nHost: ${HOST}\r\nHost: attacker.example\r\nConnection: close\r\n\r\n`, 400],
    ['the same host twice', `GET / HTTP/1.1\r\nHost: ${HOST}\r\nX: y\r\nhOST: ${HOST}\r\nConnection: close\r\n\r\n`, 400],
    ['two hosts for the API', `GET /api/v2/projects HTTP/1.1\r\nHost: attacker.example\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`, 400],
    ['nonsense', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['a header without end', `GET / HTTP/1.1\r\nHost: ${HOST}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['two lengths', `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`, 400],
    ['a length and chunks', `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a method nobody knows', `BREW / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, 400],
    ['TRACE', `TRACE / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`, 405],
  ])('%s', async (_, bytes, status) => {
    expect(statusOf(await raw(bytes))).toBe(status)
  })

  test('CONNECT is refused', async () => {
    expect(await raw('CONNECT attacker.example:443 HTTP/1.1\r\nHost: attacker.example\r\n\r\n')).not.toMatch(/^HTTP\/1\.1 2/)
  })

  test('protocol upgrades are refused', async () => {
    const answer = await ask('/', 'Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n')
    expect(statusOf(answer)).not.toBe(101)
  })

  test.each([
    ['cookies', `Cookie: token=${'%'.repeat(3000)}; ;;;=; current_language=../../etc; __proto__=x\r\n`],
    ['a language', `Accept-Language: ${'en-'.repeat(2000)},*;q=;;,,\r\n`],
    ['an encoding', 'Accept-Encoding: br;q=nonsense, \u0000\r\n'],
    ['a tag', `If-None-Match: ${'W/"x",'.repeat(1000)}\r\nIf-Modified-Since: never\r\nRange: bytes=0-,5-,-1\r\n`],
    ['addresses', 'X-Forwarded-For: <script>\r\nX-Forwarded-Host: attacker.example\r\nForwarded: for=attacker\r\nX-Request-Id: chosen\r\n'],
    ['a token', 'X-Api-Token: Bearer \u00ff\u00fe\r\nX-Tsr-Serverfn: true\r\n'],
  ])('%s that make no sense do no harm', async (_, headers) => {
    const answer = await ask('/', headers)
    expect([200, 400], answer.slice(0, 300)).toContain(statusOf(answer))
    expect(answer).not.toMatch(/attacker|x-request-id: chosen|etc\/|<script>\r/i)
  })
})

describe('bodies', () => {
  const form = (length: string) =>
    `POST /sign-in HTTP/1.1\r\nHost: ${HOST}:${product.port}\r\nOrigin: http://${HOST}:${product.port}\r\nContent-Type: application/x-www-form-urlencoded\r\n${length}\r\n\r\n`

  test('of ten megabytes are refused before they are read, by pages and by the API', async () => {
    const page = await raw(form('Content-Length: 10000000'), 'email=')
    expect(statusOf(page)).toBe(413)
    expect(page).toContain('<title>You sent too much</title>')
    const api = await raw(
      `POST /api/v2/sessions HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n\r\n{`,
    )
    expect(statusOf(api)).toBe(413)
    expect(api).toContain('"code":"too-large"')
  })

  test('of ten megabytes without a declared length are refused while they arrive', async () => {
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'a'), Buffer.from('\r\n')])
    const chunks = Array.from({ length: 160 }, () => chunk)
    const page = await raw(form('Transfer-Encoding: chunked'), ...chunks, '0\r\n\r\n')
    expect([0, 400, 413], page.slice(0, 300)).toContain(statusOf(page))
    const api = await raw(
      `POST /api/v2/sessions HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ...chunks,
      '0\r\n\r\n',
    )
    expect([0, 413], api.slice(0, 300)).toContain(statusOf(api))
  })

  test.each([
    ['not JSON', 'application/json', '{"data":', 400],
    ['of another type', 'text/plain', 'hello', 415],
    ['nothing at all', 'application/vnd.api+json', '', 400],
    ['deep', 'application/json', '['.repeat(50_000), 400],
    ['with a prototype', 'application/json', '{"__proto__":{"admin":true},"data":{"type":"sessions","attributes":{"constructor":1}}}', 422],
  ])('%s get an error of the API', async (_, type, body, status) => {
    const answer = await raw(
      `POST /api/v2/sessions HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
    expect([status, 400, 422], answer.slice(0, 400)).toContain(statusOf(answer))
    expect(answer).toContain('"errors":[')
  })

  test('that stop half-way do not block anybody else', async () => {
    const half = connect(product.port, '127.0.0.1')
    half.on('error', () => {})
    await once(half, 'connect')
    half.write(form('Content-Length: 500') + 'email=')
    const others = await Promise.all(Array.from({ length: 20 }, () => ask('/')))
    expect(others.map(statusOf)).toEqual(Array.from({ length: 20 }, () => 200))
    half.destroy()
  })

  test('that report a breach of the content policy are taken at the address that the policy names, from anybody', async () => {
    const policy = /content-security-policy: (.*)\r/i.exec(await ask('/'))?.[1]
    const path = /report-uri (\S+)/.exec(policy ?? '')?.[1]
    const body = '{"csp-report":{"effective-directive":"img-src","blocked-uri":"https://tracker.example/pixel"}}'
    const answer = await raw(
      `POST ${path} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\nContent-Type: application/csp-report\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    expect(statusOf(answer), answer.slice(0, 300)).toBe(204)
    await expect.poll(() => product.output()).toContain('"blocked":"https://tracker.example"')
  })

  test('from another site are refused, with a page that says what to do', async () => {
    const body = 'email=a%40b.example&password=x'
    const answer = await raw(
      `POST /sign-in HTTP/1.1\r\nHost: ${HOST}\r\nAccept: text/html\r\nAccept-Language: fr\r\nCookie: current_language=fr-CA\r\nOrigin: https://attacker.example\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    expect(statusOf(answer)).toBe(403)
    expect(answer).toContain('<title>Nous n’avons pas pu accepter cet envoi</title>')
  })
})

test('a hundred idle connections do not block anybody', async () => {
  const silent = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const socket = connect(product.port, '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write('GET / HTTP/1.1\r\nHost: mill')
      return socket
    }),
  )
  expect(statusOf(await ask('/'))).toBe(200)
  for (const socket of silent) socket.destroy()
})
