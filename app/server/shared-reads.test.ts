import { expect, test } from 'vitest'
import { SharedReads } from './shared-reads.ts'

test('a caller who asks during a read shares the next one, which starts after they asked', async () => {
  const reads = new SharedReads<number>()
  let [now, begun] = [1, 0]
  const gates: (() => void)[] = []
  const work = async () => {
    begun += 1
    const seen = now
    await new Promise<void>((open) => gates.push(open))
    return seen
  }
  const first = reads.read('a', work)
  now = 2
  const [second, third] = [reads.read('a', work), reads.read('a', work)]
  const other = reads.read('b', work)
  expect(begun).toBe(2)
  gates.shift()?.()
  expect(await first).toBe(1)
  await expect.poll(() => begun).toBe(3)
  for (const open of gates) open()
  expect(await Promise.all([second, third, other])).toEqual([2, 2, 2])
  expect(begun).toBe(3)
})

test('a failed read fails for those who shared it and for nobody after', async () => {
  const reads = new SharedReads<string>()
  const failed = reads.read('a', () => Promise.reject(new Error('lost')))
  const shared = reads.read('a', () => Promise.resolve('found'))
  await expect(failed).rejects.toThrow('lost')
  expect(await shared).toBe('found')
  await expect(reads.read('a', () => Promise.reject(new Error('again')))).rejects.toThrow('again')
  expect(await reads.read('a', () => Promise.resolve('there'))).toBe('there')
})
