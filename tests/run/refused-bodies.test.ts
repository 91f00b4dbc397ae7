import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { addSite } from '#tests/support/database.ts'
import { listServerFunctions } from '#tests/support/every-endpoint.ts'
import { createOwnDatabase, type OwnProduct } from '#tests/support/own-product.ts'

const db = await createOwnDatabase()
let product: OwnProduct
let site: Site

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'mill' })
  product = await db.start()
})

const KEEP_ANSWERS = `/_serverFn/${listServerFunctions().find(({ name }) => name === 'keepAnswers')?.id ?? ''}`
const CASES: [where: string, path: string, type: string][] = [
  ['the API', '/api/v2/responses', 'application/vnd.api+json'],
  ['a form', '/sign-in', 'application/x-www-form-urlencoded'],
  ['a form with files', '/sign-in', 'multipart/form-data; boundary=b'],
  ['a server function', KEEP_ANSWERS, 'application/json'],
  ['a hook', `/hooks/saml/${crypto.randomUUID()}`, 'application/x-www-form-urlencoded'],
  ['an upload', `/media/uploads/${crypto.randomUUID()}`, 'application/offset+octet-stream'],
  ['reports of browsers', '/policy-reports', 'application/csp-report'],
  ['a page that takes no form', '/projects', 'application/x-www-form-urlencoded'],
]
const BODY = Buffer.alloc(3_000_000, 'a')
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'a'), Buffer.from('\r\n')])

/** A connection, and what has come over it so far. */
async function open(): Promise<{ socket: Socket; heard: () => string; hasEnded: () => boolean }> {
  const socket = connect({ port: product.product.port, host: '127.0.0.1', allowHalfOpen: true })
  const chunks: Buffer[] = []
  const state = { ended: false }
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  socket.on('end', () => (state.ended = true))
  await once(socket, 'connect')
  return { socket, heard: () => Buffer.concat(chunks).toString(), hasEnded: () => state.ended }
}

const writeHead = (path: string, type: string, length: string, method = path.startsWith('/media/') ? 'PATCH' : 'POST') => {
  const host = `${site.host}:${product.product.port}`
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`
}

const statuses = (text: string) => [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))

describe('a body that is refused before it was read', () => {
  /** The answer has arrived, and either says that the connection ends or leaves it usable. */
  test.each(CASES)('by %s leaves no connection on which the next request hangs', async (_, path, type) => {
    for (const [length, parts] of [
      [`Content-Length: ${BODY.length}`, [BODY]],
      ['Transfer-Encoding: chunked', [...Array.from({ length: 46 }, () => CHUNK), '0\r\n\r\n']],
    ] as const) {
      const { socket, heard, hasEnded } = await open()
      socket.write(writeHead(path, type, length))
      for (const part of parts) socket.write(part)
      await expect.poll(() => statuses(heard()).length, { timeout: 10_000 }).toBe(1)
      expect(statuses(heard())[0], length).toBeGreaterThan(199)
      if (/^connection: close\r$/im.test(heard())) await expect.poll(hasEnded, { timeout: 10_000 }).toBe(true)
      else {
        socket.write(`GET /healthz HTTP/1.1\r\nHost: ${site.host}\r\n\r\n`)
        await expect.poll(() => statuses(heard()).at(1), { timeout: 10_000 }).toBe(200)
      }
      socket.destroy()
    }
  })

  test.each(CASES)('by %s is answered with "close" if the rest of it never comes', async (_, path, type) => {
    const { socket, heard, hasEnded } = await open()
    socket.write(writeHead(path, type, 'Content-Length: 80000000'))
    await expect.poll(() => statuses(heard()).length, { timeout: 10_000 }).toBe(1)
    expect(heard()).toMatch(/^connection: close\r$/im)
    await expect.poll(hasEnded, { timeout: 10_000 }).toBe(true)
    socket.destroy()
  })

  test('is answered whole, although the client is still sending', async () => {
    const { socket, heard, hasEnded } = await open()
    socket.write(writeHead('/api/v2/responses', 'application/vnd.api+json', 'Content-Length: 20000000'))
    for (let sent = 0; sent < 20_000_000; sent += 500_000) {
      socket.write(Buffer.alloc(500_000, 'a'))
      await wait(5)
    }
    await expect.poll(hasEnded, { timeout: 10_000 }).toBe(true)
    expect(statuses(heard())).toEqual([413])
    expect(heard()).toContain('"code":"too-large"')
    socket.destroy()
  })
})
