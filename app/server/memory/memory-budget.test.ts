import { expect, test } from 'vitest'
import { MemoryBudget } from './memory-budget.ts'

const value = (name: string) => ({ name })

test('what was not used for longest is forgotten first, whichever memory it is in', () => {
  const budget = new MemoryBudget(100)
  const [pages, rows] = [budget.open<{ name: string }>('pages'), budget.open<{ name: string }>('rows')]
  pages.set('first', value('first'), 40)
  rows.set('second', value('second'), 40)
  expect(pages.find('first')).toEqual(value('first'))
  rows.set('third', value('third'), 40)
  expect(budget.bytes).toBe(80)
  expect(rows.find('second')).toBeUndefined()
  expect(pages.find('first')).toBeDefined()
  pages.set('fourth', value('fourth'), 60)
  expect(rows.find('third')).toBeUndefined()
  expect([...budget.memories].map(([name, { bytes, size }]) => [name, bytes, size])).toEqual([
    ['pages', 100, 2],
    ['rows', 0, 0],
  ])
})

test('a memory with a limit of its own forgets only what it keeps itself', () => {
  const budget = new MemoryBudget(1000)
  const [pages, filtered] = [budget.open<{ name: string }>('pages'), budget.open<{ name: string }>('filtered', { maxBytes: 100 })]
  pages.set('home', value('home'), 500)
  for (let count = 0; count < 50; count++) filtered.set(String(count), value('x'), 30)
  expect(filtered.bytes).toBeLessThanOrEqual(100)
  expect(filtered.find('49')).toBeDefined()
  expect(pages.find('home')).toBeDefined()
})

test('what is larger than all there is room for is not kept', () => {
  const budget = new MemoryBudget(100)
  const pages = budget.open<{ name: string }>('pages')
  pages.set('small', value('small'), 10)
  pages.set('huge', value('huge'), 101)
  expect(pages.find('huge')).toBeUndefined()
  expect(budget.bytes).toBeLessThanOrEqual(100)
})

test('a value that is weighed later counts with its true size, unless another took its place', () => {
  const budget = new MemoryBudget(100)
  const reads = budget.open<{ name: string }>('reads')
  const [one, other] = [value('one'), value('other')]
  reads.set('key', one, 1)
  reads.weigh('key', one, 70)
  expect(budget.bytes).toBe(70)
  reads.set('key', other, 5)
  reads.weigh('key', one, 90)
  expect(budget.bytes).toBe(5)
  reads.delete('key', one)
  expect(reads.find('key')).toBe(other)
})

test('nothing is found past its time', () => {
  let now = 0
  const reads = new MemoryBudget(100).open<{ name: string }>('reads', { now: () => now })
  reads.set('key', value('one'), 10, 1000)
  now = 999
  expect(reads.find('key')).toBeDefined()
  now = 1000
  expect(reads.find('key')).toBeUndefined()
  expect(reads.bytes).toBe(0)
})
