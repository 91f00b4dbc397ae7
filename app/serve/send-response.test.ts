import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCompressedForms, keepCompressedForms } from '#app/server/kept-bodies.ts'
import { createWholeResponse } from '#app/server/whole-response.ts'
import { sendResponse } from './send-response.ts'

const uncaught: unknown[] = []
const note = (error: unknown) => uncaught.push(error)
let others: NodeJS.UncaughtExceptionListener[] = []

beforeEach(() => {
  uncaught.length = 0
  others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', note)
})
afterEach(() => {
  process.off('uncaughtException', note)
  for (const other of others) process.on('uncaughtException', other)
})

test.each([
  ['before anything is sent, and the rendering is given up after', 'close', 'after'],
  ['before anything is sent, and the rendering was given up before', 'close', 'before'],
  ['while it is sent', 'begun', 'after'],
])('a client that disconnects %s ends only its own response', async (_when, sent, brokenOff) => {
  const ended: Promise<unknown>[] = []
  const server = createServer((incoming, response) => {
    let breakOff = () => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('begun'))
        breakOff = () => controller.error(new Error('aborted'))
      },
    })
    const begin = () => ended.push(sendResponse(incoming, response, new Response(body), { headers: {}, compress: false }).catch(() => {}))
    if (sent === 'begun') begin()
    response.once('close', () => {
      if (brokenOff === 'before') breakOff()
      if (sent === 'close') begin()
      if (brokenOff === 'after') breakOff()
    })
  }).listen(0)
  await once(server, 'listening')
  const client = request({ port: (server.address() as AddressInfo).port, agent: false }).on('error', () => {})
  client.end()
  if (sent === 'begun') await once(client, 'response')
  else await once(server, 'request')
  client.destroy()
  await expect.poll(() => ended.length).toBe(1)
  await Promise.all(ended)
  await wait(20)
  expect(uncaught).toEqual([])
  server.close()
})

const JSON_BODY = '{"data":[]}'

async function fetchWhole(body: Buffer, encoding: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length), vary: 'Accept' }
  const server = createServer((incoming, response) => {
    const answer = createWholeResponse(203, headers, body)
    void sendResponse(incoming, response, answer, { headers: { 'x-own': 'yes', vary: 'Cookie' }, compress: true })
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'accept-encoding': encoding } })
  const whole = new Response(await answer.arrayBuffer(), answer)
  server.close()
  return whole
}

// A short body is compressed at once, a long one in the thread pool.
test.each(['identity', 'gzip', 'br'].flatMap((encoding) => [200, 2000].map((times) => ({ encoding, times }))))(
  'a body of $times objects that is ready arrives whole with its headers, as $encoding',
  async ({ encoding, times }) => {
    const text = JSON_BODY.repeat(times)
    const answer = await fetchWhole(Buffer.from(text), encoding)
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 203, text })
    expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding')
    expect(answer.headers.get('x-own')).toBe('yes')
    expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
    const length = Number(answer.headers.get('content-length'))
    if (encoding === 'identity') expect(length).toBe(text.length)
    else expect(length).toBeLessThan(text.length / 4)
  },
)

test.each([true, false])('a page that was collected is sent instead of the response’s own body; compressed: %s', async (compress) => {
  const page = Buffer.from('<p>Fern Street</p>'.repeat(1000))
  const server = createServer((incoming, response) => {
    const answer = new Response('read already', { status: 404, headers: { 'content-type': 'text/html', 'set-cookie': 'a=1' } })
    void sendResponse(incoming, response, answer, { headers: { 'x-own': 'yes' }, compress, pieces: [page] })
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'accept-encoding': 'br' } })
  expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 404, text: String(page) })
  expect([answer.headers.get('set-cookie'), answer.headers.get('x-own')]).toEqual(['a=1', 'yes'])
  expect(answer.headers.get('content-encoding')).toBe(compress ? 'br' : null)
  expect(Number(answer.headers.get('content-length')) < page.length).toBe(compress)
  server.close()
})

test('a body that is sent again is compressed once for each encoding', async () => {
  const body = keepCompressedForms(Buffer.from(JSON_BODY.repeat(2000)))
  await fetchWhole(body, 'br')
  const first = findCompressedForms(body)?.get('br')
  for (const encoding of ['br', 'gzip', 'identity', 'br']) expect(await (await fetchWhole(body, encoding)).text()).toBe(String(body))
  expect(first).toBeDefined()
  expect(findCompressedForms(body)?.get('br')).toBe(first)
  expect([...(findCompressedForms(body)?.keys() ?? [])]).toEqual(['br', 'gzip'])
})
