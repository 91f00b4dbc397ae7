import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReachCounter } from '#app/features/reach/reach.counter.server.ts'
import { MemoryBudget } from '#app/server/memory/memory-budget.ts'
import { MemoryGuard } from '#app/server/memory/memory-guard.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { sendRequest } from '#tests/support/send-request.ts'
import { createFrontHandler } from './front.ts'
import { PageStore } from './page-store.ts'
import { createQueues } from './queues.ts'
import { ReaderPages } from './reader-pages.ts'
import { StaticFiles } from './static-files.ts'

const MB = 1_000_000
const server = createServer()
let port: number
let bytes = 200 * MB

beforeAll(async () => {
  const runtime = await createTestRuntime()
  await addSite(runtime)
  const budget = new MemoryBudget(MB)
  const guard = new MemoryGuard({
    maxBytes: 450 * MB,
    budget,
    readBytes: () => bytes,
    collectGarbage: () => {},
    now: () => performance.now() * 1000,
  })
  server.on(
    'request',
    createFrontHandler({
      runtime,
      reach: new ReachCounter(runtime),
      files: new StaticFiles({}),
      stylesheet: undefined,
      store: new PageStore({ budget, name: 'pages', ttlMs: 60_000 }),
      filteredStore: new PageStore({ budget, name: 'filtered pages', ttlMs: 60_000 }),
      readerPages: new ReaderPages({ budget, ttlMs: 60_000 }),
      queues: createQueues(),
      hasRoom: (isIdle) => guard.hasRoom(isIdle),
      readSearch: () => ({}),
      isPathWord: () => false,
      health: () => Promise.resolve({ status: 200, body: {} }),
      answer: () => Promise.resolve({ response: new Response('<p>page</p>', { headers: { 'content-type': 'text/html' } }) }),
    }),
  )
  server.listen(0)
  await once(server, 'listening')
  port = (server.address() as { port: number }).port
})
afterAll(() => void server.close())

const read = (path: string, method = 'GET') => sendRequest(port, path, { host: 'riverbend.localhost' }, method)

test('close to the memory limit, kept pages and health checks are answered, and whatever takes work is refused until there is room', async () => {
  expect((await read('/')).status).toBe(200)
  bytes = 449 * MB
  for (const [path, method] of [
    ['/projects', 'GET'],
    ['/api/v2/projects', 'GET'],
    ['/sign-in', 'POST'],
  ] as const) {
    const { status, headers } = await read(path, method)
    expect([path, status, headers['retry-after']]).toEqual([path, 503, expect.stringMatching(/^\d+$/)])
  }
  expect((await read('/')).status).toBe(200)
  expect((await read('/healthz')).status).toBe(200)
  // With no other request running, one is still answered while some memory is left.
  bytes = 420 * MB
  expect((await read('/hubs')).status).toBe(200)
  bytes = 300 * MB
  expect((await read('/projects')).status).toBe(200)
})
