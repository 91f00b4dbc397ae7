import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbedded } from '#app/server/db/embedded-postgres.ts'
import { assertExactlyOnce } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { isDatabaseUp, withFaultSetup, withProduct } from './setup.ts'
import { startWriters } from './writers.ts'

const PEOPLE = 20
const SLOW_FOR_MS = 10_000
const STALLED_FOR_MS = 40_000
const DELAY_MS = 100
/** How long a visitor may wait for any answer, also one that says to come back later. */
const ANSWERED_WITHIN_MS = 35_000
const BACK_WITHIN_MS = 20_000

/** The database responds slowly, then hangs with its connections open. Every request ends in time, and the product recovers. */
export const slowDatabase: Fault = {
  name: 'slow database',
  run: () =>
    withFaultSetup(async ({ dataDir, surveyId, settings }) => {
      const database = await startEmbedded(dataDir)
      const line = await startSlowLine(database.port)
      const url = new URL(database.ownerUrl)
      url.port = String(line.port)
      const SECRET_KEY = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim()
      try {
        return await withProduct(
          { ...settings, DATABASE_URL: url.href, SECRET_KEY, DATA_DIR: join(dataDir, '../files') },
          async (product) => {
            const writers = startWriters(product.origin, surveyId, join(dataDir, '../acknowledged'), PEOPLE)
            try {
              await wait(1000)
              line.delayMs = DELAY_MS
              const before = taken(writers)
              await wait(SLOW_FOR_MS)
              const slow = taken(writers) - before
              assert.ok(slow > 0, `answers are taken all the same: ${JSON.stringify(writers.statuses)}`)
              assert.deepEqual(writers.refusals, [], 'slowness refuses nobody')
              line.delayMs = Infinity
              const longest = await readWhileStalled(product.origin)
              line.delayMs = 0
              const from = performance.now()
              const stuck = taken(writers)
              while (taken(writers) === stuck || !(await isDatabaseUp(product.origin))) {
                assert.ok(performance.now() - from < BACK_WITHIN_MS, `it does not recover:\n${product.output().slice(-3000)}`)
                await wait(50)
              }
              const back = performance.now() - from
              await wait(1000)
              await writers.stop()
              assert.deepEqual(
                writers.refusals.filter(({ status, retryAfter }) => status !== 503 || !retryAfter),
                [],
                'refused with when to come back',
              )
              assert.equal(writers.statuses['none'] ?? 0, 0, 'every sender is answered')
              const { acknowledged } = await assertExactlyOnce(product, database.ownerUrl, surveyId, writers)
              return `${slow} answers taken at ${DELAY_MS} ms a packet; ${writers.refusals.length} told 503 in ${STALLED_FOR_MS / 1000} s without an answer, nobody waited longer than ${Math.round(longest / 1000)} s; back after ${Math.round(back)} ms; ${acknowledged} acknowledged and there`
            } finally {
              await writers.stop()
            }
          },
        )
      } finally {
        line.close()
        await database.stop()
      }
    }),
}

const taken = ({ statuses }: { statuses: Record<string, number> }) => (statuses['201'] ?? 0) + (statuses['200'] ?? 0)

/** @returns the longest that anybody waited */
async function readWhileStalled(origin: string): Promise<number> {
  const until = performance.now() + STALLED_FOR_MS
  let longest = 0
  const read = async (path: string, expected: readonly number[]) => {
    while (performance.now() < until) {
      const from = performance.now()
      const answer = await fetch(origin + path, { signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) })
      await answer.text()
      longest = Math.max(longest, performance.now() - from)
      assert.ok(expected.includes(answer.status), `${path} is answered with ${answer.status}`)
      if (answer.status === 503) assert.ok(answer.headers.get('retry-after'), `${path} says when to come back`)
      await wait(500)
    }
  }
  await Promise.all([
    read('/healthz', [200]),
    read('/projects?q=bus', [503]),
    read('/api/v2/projects?filter[q]=bus', [503]),
    // It stays in service: a proxy without a process behind it could not say when to come back.
    read('/readyz', [200]),
  ])
  return longest
}

/** Passes everything on between the product and its database, later or not at all. */
async function startSlowLine(port: number): Promise<{ port: number; delayMs: number; close: () => void }> {
  const sockets = new Set<Socket>()
  const line = { port: 0, delayMs: 0, close: () => {} }
  const carry = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('error', () => to.destroy())
    from.on('close', () => (sockets.delete(from), to.destroy()))
    from.on('data', (piece) => {
      from.pause()
      void (async () => {
        if (line.delayMs > 0 && line.delayMs < Infinity) await wait(line.delayMs)
        while (line.delayMs === Infinity) await wait(100)
        if (!to.destroyed) to.write(piece)
        from.resume()
      })()
    })
  }
  const server = createServer((client) => {
    const database = connect(port, '127.0.0.1')
    carry(client, database)
    carry(database, client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  line.port = (server.address() as AddressInfo).port
  line.close = () => {
    line.delayMs = 0
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return line
}
