import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { freeSlot } from '../server/work-slot.ts'
import { FairQueue, QueueFull, type QueueOptions } from './fair-queue.ts'

const OPTIONS: QueueOptions = { running: 1, waiting: { total: 12, site: 10, client: 4 }, waitMs: 60_000, slotMs: 60_000, freed: 0 }

function open(options: Partial<QueueOptions> = {}) {
  const queue = new FairQueue({ ...OPTIONS, ...options })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (site: string, client: string, name = client, gone?: AbortSignal) =>
    queue.run(
      { site, client },
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      },
      gone,
    )
  const turn = () => new Promise((done) => setImmediate(() => setImmediate(done)))
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end()
      await turn()
    }
  }
  return { ask, begun, endAll, turn }
}

describe('a queue', () => {
  test('is fair to sites, then to the clients of a site, however much one of them asks for', async () => {
    const { ask, begun, endAll } = open()
    const all = [
      ask('mill', 'a', 'a1'),
      ask('mill', 'a', 'a2'),
      ask('mill', 'a', 'a3'),
      ask('mill', 'b', 'b1'),
      ask('mill', 'a', 'a4'),
      ask('ferry', 'c', 'c1'),
      ask('ferry', 'c', 'c2'),
    ]
    await endAll()
    await Promise.all(all)
    expect(begun).toEqual(['a1', 'a2', 'c1', 'b1', 'c2', 'a3', 'a4'])
  })

  test('refuses what exceeds the limit of a client, a site or the whole queue, and affects nobody else', async () => {
    const { ask, endAll } = open()
    const asked = [...Array.from({ length: 7 }, () => ask('mill', 'a')), ...Array.from({ length: 5 }, () => ask('mill', 'b'))]
    const late = [ask('mill', 'c'), ask('mill', 'd'), ask('mill', 'e'), ask('ferry', 'f'), ask('ferry', 'g'), ask('port', 'h')]
    const outcomes = Promise.allSettled([...asked, ...late])
    await endAll()
    const refused = (await outcomes).map(({ status }) => (status === 'rejected' ? 'x' : '.')).join('')
    expect(refused).toBe('.....xx....x..x..x')
  })

  test('refuses what waited too long', async () => {
    const { ask, endAll } = open({ waitMs: 20 })
    const first = ask('mill', 'a')
    await expect(ask('mill', 'b')).rejects.toBeInstanceOf(QueueFull)
    await endAll()
    await first
  })

  test('does not start work that nobody waits for any more', async () => {
    const { ask, begun, endAll } = open()
    const gone = new AbortController()
    const first = ask('mill', 'a')
    const left = ask('mill', 'b', 'b', gone.signal)
    gone.abort()
    await expect(left).rejects.toBeInstanceOf(QueueFull)
    const last = ask('mill', 'c')
    await endAll()
    await Promise.all([first, last])
    expect(begun).toEqual(['a', 'c'])
  })

  test('moves on if work takes longer than its slot', async () => {
    const { ask, begun, endAll } = open({ slotMs: 20 })
    const all = [ask('mill', 'slow'), ask('mill', 'next')]
    await expect.poll(() => begun).toEqual(['slow', 'next'])
    await endAll()
    await Promise.all(all)
  })

  test('starts the next work when one frees its slot, up to the limit of freed work', async () => {
    const queue = new FairQueue({ ...OPTIONS, freed: 2 })
    const begun: string[] = []
    const shared = Promise.withResolvers<void>()
    const all = ['a', 'b', 'c', 'd'].map((client) =>
      queue.run({ site: 'mill', client }, async () => {
        begun.push(client)
        freeSlot()
        await shared.promise
      }),
    )
    await expect.poll(() => begun).toEqual(['a', 'b', 'c'])
    await setTimeout(20)
    expect(begun).toEqual(['a', 'b', 'c'])
    shared.resolve()
    await Promise.all(all)
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    await expect.poll(() => queue.running).toBe(0)
  })

  test('yields to the event loop between two pieces of work', async () => {
    const { ask, begun, endAll, turn } = open()
    const all = [ask('mill', 'a'), ask('mill', 'b')]
    const seen: number[] = []
    setImmediate(() => seen.push(begun.length))
    await turn()
    expect(seen).toEqual([1])
    await endAll()
    await Promise.all(all)
  })
})
