import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Product } from '#tests/support/product.ts'
import { callApi, getOwnerUrl, queryAsOwner, signInForToken } from '#tests/support/remote-api.ts'
import { assertExactlyOnce } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { isListening, listDescendants } from '#tests/support/process-tree.ts'
import { withFaultSetup, withProduct } from './setup.ts'
import { startWriters } from './writers.ts'

const KILLS = 25
const WEB_PROCESSES = 2
const WITHIN_MS = 20_000
const EXPORT_WITHIN_MS = 60_000

const findProcesses = (product: Product, name: string) =>
  listDescendants(product.process.pid ?? 0).filter(({ command }) => command.includes(name))

const countListening = (product: Product, dead: number): number =>
  findProcesses(product, 'web-process.ts').filter(({ pid }) => pid !== dead && isListening(pid, product.port)).length

/** One of two web processes dies, again and again. The other serves on, and another takes its place. */
export const webKills: Fault = {
  name: `${KILLS} kills of web processes`,
  run: () =>
    withFaultSetup(({ dataDir, surveyId, settings }) =>
      withProduct({ ...settings, WEB_PROCESSES: String(WEB_PROCESSES) }, async (product) => {
        const writers = startWriters(product.origin, surveyId, join(dataDir, '../acknowledged'))
        const away: number[] = []
        try {
          for (let count = 0; count < KILLS; count++) {
            while (countListening(product, 0) < WEB_PROCESSES) await wait(50)
            await wait(300 + Math.random() * 700)
            const victims = findProcesses(product, 'web-process.ts')
            const [victim] = victims.toSorted(() => Math.random() - 0.5)
            assert.ok(victim)
            process.kill(victim.pid, 'SIGKILL')
            const from = performance.now()
            while (countListening(product, victim.pid) < WEB_PROCESSES) {
              assert.ok(performance.now() - from < WITHIN_MS, `no other takes its place:\n${product.output()}`)
              await wait(50)
            }
            assert.equal((await fetch(`${product.origin}/readyz`, { headers: { connection: 'close' } })).status, 200)
            away.push(performance.now() - from)
          }
          await wait(500)
          await writers.stop()
          assert.deepEqual(
            writers.refusals.filter(({ status }) => status !== 503).map(({ body }) => body),
            [],
            'nobody is told anything but to try again',
          )
          const { acknowledged, unanswered } = await assertExactlyOnce(product, getOwnerUrl(dataDir), surveyId, writers)
          return `${KILLS} deaths, another in place after at most ${Math.round(Math.max(...away))} ms; ${acknowledged} acknowledged and there, ${unanswered} cut off and taken when sent again`
        } finally {
          await writers.stop()
        }
      }),
    ),
}

/** The process that makes exports dies each time it begins. Pages do not notice, and every export is made in the end. */
export const jobKills: Fault = {
  name: `${KILLS} kills of job processes`,
  run: () =>
    withFaultSetup(({ dataDir, surveyId, settings }) =>
      withProduct(settings, async (product) => {
        const url = getOwnerUrl(dataDir)
        const token = await signInForToken(product, 'site.admin@riverbend.example')
        const writers = startWriters(product.origin, surveyId, join(dataDir, '../acknowledged'), 10)
        try {
          await wait(3000)
          for (let count = 0; count < KILLS; count++) {
            if (count % 5 === 0) await requestExport(product, token, surveyId)
            const [victim] = await waitUntil(() => findProcesses(product, 'job-process.ts'), `an export is begun (${count})`)
            // Somewhere between its start and its end.
            await wait(Math.random() * 800)
            try {
              process.kill(victim?.pid ?? 0, 'SIGKILL')
            } catch {
              // It was done first, so it does not count.
              count -= 1
              await requestExport(product, token, surveyId)
              continue
            }
            await waitUntil(
              () => [findProcesses(product, 'job-process.ts').every(({ pid }) => pid !== victim?.pid)].filter(Boolean),
              'it is gone',
            )
            // Skips the minute after which a silent process is taken for dead.
            await queryAsOwner(url, `update survey_exports set alive_at = alive_at - interval '2 minutes' where state = 'running'`)
            assert.equal((await fetch(`${product.origin}/projects?q=${count}`)).status, 200)
          }
          await writers.stop()
          await waitUntil(async () => {
            await queryAsOwner(
              url,
              `update survey_exports set alive_at = alive_at - interval '2 minutes' where state = 'running' and alive_at < now() - interval '10 seconds'`,
            )
            const open = await queryAsOwner(url, `select id from survey_exports where state <> 'done'`)
            return open.length === 0 ? [true] : []
          }, 'every export is made')
          const exports = await queryAsOwner<{ total: number; done: number }>(url, 'select total, done from survey_exports')
          assert.deepEqual(
            exports.filter(({ total, done }) => total !== done),
            [],
            'each export holds every response',
          )
          const { acknowledged } = await assertExactlyOnce(product, url, surveyId, writers)
          return `${KILLS} deaths, ${exports.length} exports, each made whole; ${acknowledged} acknowledged and there`
        } finally {
          await writers.stop()
        }
      }),
    ),
}

const requestExport = (product: Product, token: string, surveyId: string) =>
  callApi(product, 'POST', '/exports', token, {
    data: { type: 'exports', attributes: { format: 'csv' }, relationships: { survey: { data: { type: 'surveys', id: surveyId } } } },
  })

async function waitUntil<T>(find: () => T[] | Promise<T[]>, what: string): Promise<T[]> {
  const deadline = performance.now() + EXPORT_WITHIN_MS
  for (;;) {
    const found = await find()
    if (found.length > 0) return found
    assert.ok(performance.now() < deadline, `not within ${EXPORT_WITHIN_MS / 1000} s: ${what}`)
    await wait(20)
  }
}
