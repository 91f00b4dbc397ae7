import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readClusterHome } from '#app/server/db/cluster-home.ts'
import { getOwnerUrl } from '#tests/support/remote-api.ts'
import { assertExactlyOnce } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { isDatabaseUp, withFaultSetup, withProduct } from './setup.ts'
import { startWriters } from './writers.ts'

const KILLS = 25
const WITHIN_MS = 20_000

/** The database dies under load. Requests in progress get a clear 503, and the product recovers without help. */
export const databaseRestart: Fault = {
  name: `${KILLS} kills of the database`,
  run: () =>
    withFaultSetup(({ dataDir, surveyId, settings }) =>
      withProduct(settings, async (product) => {
        const writers = startWriters(product.origin, surveyId, join(dataDir, '../acknowledged'))
        const readers = startReaders(product.origin)
        const away: number[] = []
        try {
          for (let count = 0; count < KILLS; count++) {
            await wait(1000)
            process.kill(Number(readFileSync(join(readClusterHome(dataDir), 'postgres/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
            const from = performance.now()
            await wait(100)
            const until = performance.now() + WITHIN_MS
            while (!(await isDatabaseUp(product.origin))) {
              assert.ok(performance.now() < until, `it is not ready again within ${WITHIN_MS / 1000} s:\n${product.output()}`)
              await wait(50)
            }
            away.push(Math.round(performance.now() - from))
          }
          await wait(500)
          await Promise.all([writers.stop(), readers.stop()])
          for (const { status, retryAfter, body } of writers.refusals) {
            assert.equal(status, 503, body)
            assert.equal(retryAfter, '5')
            const [error] = (JSON.parse(body) as { errors: { code: string }[] }).errors
            assert.equal(error?.code, 'unavailable')
          }
          assert.deepEqual(
            Object.keys(readers.statuses).filter((status) => !['200', '503'].includes(status)),
            [],
          )
          const { acknowledged } = await assertExactlyOnce(product, getOwnerUrl(dataDir), surveyId, writers)
          return `${KILLS} deaths, back after ${away.join(', ')} ms; ${writers.refusals.length} writes and ${readers.statuses['503'] ?? 0} reads told 503, none anything else; ${acknowledged} acknowledged and there`
        } finally {
          await Promise.all([writers.stop(), readers.stop()])
        }
      }),
    ),
}

/** Visitors of an uncached page, and API clients. */
function startReaders(origin: string) {
  const statuses: Record<string, number> = {}
  const ending = new AbortController()
  const read = async (path: string) => {
    while (!ending.signal.aborted) {
      const status = await fetch(origin + path, { headers: { accept: 'text/html,application/vnd.api+json' } }).then(
        async (answer) => (await answer.text(), String(answer.status)),
        () => 'none',
      )
      statuses[status] = (statuses[status] ?? 0) + 1
      await wait(20)
    }
  }
  const done = Promise.all(['/projects?q=bus', '/api/v2/projects', '/receipt'].map(read))
  return {
    statuses,
    stop: async () => {
      ending.abort()
      await done
    },
  }
}
