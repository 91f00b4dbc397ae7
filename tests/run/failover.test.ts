import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assertExactlyOnce } from '#tests/faults/exactly-once.ts'
import { startWriters, type Writers } from '#tests/faults/writers.ts'
import { type ForeignPostgres, startForeignPostgres } from '#tests/support/foreign-postgres.ts'
import { type Product, runParley, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { callApi, makeSurvey, signInForToken } from '#tests/support/remote-api.ts'

/** What a second machine brings: two web processes, a database and its standby, and the standby taking over. */
const dir = temporaryFolder('failover')
/** The specification's bound for a server that is killed is 10 seconds, and this machine does everything at once. */
const WRITES_AGAIN_WITHIN_MS = 15_000
const ESTABLISHED = { interval: 50, timeout: WRITES_AGAIN_WITHIN_MS }
let first: ForeignPostgres
let second: ForeignPostgres
let products: Product[]
let surveyId: string
/** In all tests, at both processes. */
const everyone: Writers[] = []

const hostOf = (postgres: ForeignPostgres) => new URL(postgres.url('town')).host

beforeAll(async () => {
  first = await startForeignPostgres()
  await first.run('postgres', 'create database town')
  const common = { SECRET_KEY: 'a-key-of-the-tests-with-more-than-32-characters', LOG_LEVEL: 'warn', TRUSTED_PROXIES: '1' }
  const seeded = runParley(['seed'], { ...common, DATABASE_URL: first.url('town'), DATA_DIR: join(dir, 'seed') })
  if ((await seeded.ended) !== 0) throw new Error(seeded.output())
  second = await first.startStandby()
  // The standby is named first: it is not the order that says who takes writes.
  const url = first.url('town').replace(hostOf(first), `${hostOf(second)},${hostOf(first)}`)
  products = await Promise.all(['a', 'b'].map((name) => startProduct({ ...common, DATABASE_URL: url, DATA_DIR: join(dir, name) })))
  const [product] = products
  surveyId = await makeSurvey(product!, await signInForToken(product!, 'site.admin@riverbend.example'))
}, 180_000)
afterAll(async () => {
  await Promise.all(products.map((product) => product.stop()))
  await Promise.all([first.stop(), second.stop()])
  rmSync(dir, { recursive: true, force: true })
})

const taken = ({ statuses }: Writers) => (statuses['201'] ?? 0) + (statuses['200'] ?? 0)

/** People who answer the survey at both processes, and visitors of a page that is kept, until `work` is done. */
async function whilePeopleUseIt(
  log: string,
  work: (writers: Writers[]) => Promise<void>,
): Promise<{ writers: Writers[]; pages: number[] }> {
  for (const { origin } of products) expect((await fetch(origin)).status).toBe(200)
  const writers = products.map(({ origin }, at) => startWriters(origin, surveyId, join(dir, `${log}-${everyone.length + at}`), 5))
  everyone.push(...writers)
  const pages: number[] = []
  const ending = new AbortController()
  const readPages = async () => {
    while (!ending.signal.aborted) {
      for (const { origin } of products) pages.push((await fetch(origin)).status)
      await wait(100)
    }
  }
  const reading = readPages()
  try {
    await expect.poll(() => Math.min(...writers.map(taken)), ESTABLISHED).toBeGreaterThan(20)
    await work(writers)
  } finally {
    ending.abort()
    await Promise.all([reading, ...writers.map((each) => each.stop())])
  }
  return { writers, pages }
}

const expectTakenAgain = async (writers: Writers[]) => {
  const before = writers.map(taken)
  await expect.poll(() => Math.min(...writers.map((each, at) => taken(each) - before[at]!)), ESTABLISHED).toBeGreaterThan(10)
}

/** Nothing but 503 with when to come back, in both processes. */
function expectHonestRefusals(writers: Writers[]): void {
  const refusals = writers.flatMap((each) => each.refusals)
  expect(refusals.length).toBeGreaterThan(0)
  expect(refusals.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([])
  expect(writers.map(({ statuses }) => statuses['none'] ?? 0)).toEqual([0, 0])
}

describe('a database that takes no writes', () => {
  test('refuses them with when to come back, goes on showing pages, and needs no restart', async () => {
    const from = products.map((product) => product.output().length)
    const { writers, pages } = await whilePeopleUseIt('read-only', async (writing) => {
      await first.run('postgres', 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()')
      await expect.poll(() => Math.min(...writing.map(({ refusals }) => refusals.length)), ESTABLISHED).toBeGreaterThan(5)
      for (const { origin } of products) {
        expect((await fetch(`${origin}/projects?q=${writing[0]!.refusals.length}`)).status).toBe(200)
        expect((await fetch(`${origin}/readyz`)).status).toBe(200)
      }
      await first.run(
        'postgres',
        'set default_transaction_read_only = off',
        'alter system reset default_transaction_read_only',
        'select pg_reload_conf()',
      )
      await expectTakenAgain(writing)
    })
    expectHonestRefusals(writers)
    expect(new Set(pages)).toEqual(new Set([200]))
    const lines = products.flatMap((product, at) => product.output().slice(from[at]).split('\n'))
    const stacks = lines.filter((line) => line.includes('"stack"'))
    expect(stacks, stacks.join('\n')).toEqual([])
  }, 90_000)
})

describe('a machine that dies with the database that takes writes', () => {
  test('its standby takes over for both processes: nothing acknowledged is lost or doubled, and kept pages never stop', async () => {
    let began = 0
    const { writers, pages } = await whilePeopleUseIt('dead', async (writing) => {
      first.freeze()
      began = performance.now()
      await expect.poll(() => Math.min(...writing.map(({ refusals }) => refusals.length)), ESTABLISHED).toBeGreaterThan(0)
      await second.run('postgres', 'select pg_promote()')
      await expectTakenAgain(writing)
    }).finally(() => first.thaw())
    await first.shutDown()
    console.log(`a dead machine: writes were taken again ${Math.round(performance.now() - began)} ms later`)
    expectHonestRefusals(writers)
    expect(new Set(pages)).toEqual(new Set([200]))
    for (const [at, product] of products.entries()) {
      await callApi(product, 'GET', `/surveys/${surveyId}`)
      expect(writers[at]!.acknowledged().length).toBeGreaterThan(0)
    }
    const listAll = (list: 'acknowledged' | 'open') => () => everyone.flatMap((each) => each[list]())
    const merged = { ...writers[0]!, acknowledged: listAll('acknowledged'), open: listAll('open') }
    await assertExactlyOnce(products[0]!, second.url('town'), surveyId, merged)
  }, 120_000)
})
