import { describe, expect, test } from 'vitest'
import { AppError } from '../lib/app-error.ts'
import type { Database } from './db/client.ts'
import { createBatches, createSiteBatches } from './batches.ts'

const DATABASE = {} as Database
const laterTick = () => new Promise((done) => setImmediate(done))

/** Stores numbers. Seven makes its whole batch fail; thirteen is refused. */
function createStore() {
  const batches: number[][] = []
  const add = createSiteBatches<number, number>(async (_database, _siteId, items) => {
    batches.push([...items])
    await laterTick()
    if (items.includes(7)) throw new Error('seven')
    return items.map((item) => (item === 13 ? new AppError('conflict') : item * 10))
  })
  return { batches, add: (item: number, siteId = 'one') => add(DATABASE, siteId, item) }
}

describe('what arrives for a site', () => {
  test('while a batch is stored shares the next one', async () => {
    const { add, batches } = createStore()
    const first = add(1)
    await laterTick()
    expect(await Promise.all([first, ...[2, 3, 4].map((item) => add(item))])).toEqual([10, 20, 30, 40])
    expect(batches).toEqual([[1], [2, 3, 4]])
  })

  test('is stored whenever it arrives, also just as the batch before is done', async () => {
    const { add } = createStore()
    let stored = 0
    for (let item = 20; item < 40; item++) {
      await add(item)
      for (let ticks = 0; ticks < item - 20; ticks++) await Promise.resolve()
      stored += 1
    }
    expect(stored).toBe(20)
  })

  test('does not wait for another site', async () => {
    const { add, batches } = createStore()
    await Promise.all([add(1), add(2, 'other')])
    expect(batches).toEqual([[1], [2]])
  })

  test('is stored although another item of its batch fails or is refused', async () => {
    const { add } = createStore()
    const outcomes = await Promise.allSettled([1, 2, 7, 13, 4].map((item) => add(item)))
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason)))).toEqual([
      10,
      20,
      'Error: seven',
      expect.stringContaining('conflict'),
      40,
    ])
  })
})

test('items without results share a batch; if the database is gone none is tried again by itself', async () => {
  const batches: string[][] = []
  const add = createBatches<string>(async (items) => {
    batches.push([...items])
    if (items.includes('down')) throw Object.assign(new Error('the database system is shutting down'), { code: '57P03' })
  })
  await Promise.all(['a', 'b'].map(add))
  const lost = await Promise.allSettled(['c', 'down', 'd'].map(add))
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await add('e')
  expect(batches).toEqual([['a', 'b'], ['c', 'down', 'd'], ['e']])
})
