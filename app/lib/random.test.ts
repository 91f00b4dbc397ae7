import { expect, test } from 'vitest'
import { createRandom } from './random.ts'

const draw = (seed: string) => ((random) => Array.from({ length: 5 }, () => random.next()))(createRandom(seed))

test('the same seed gives the same choices and another seed others', () => {
  expect(draw('river')).toEqual(draw('river'))
  expect(draw('river')).not.toEqual(draw('valley'))
})

test('follows weights and never picks a weight of zero', () => {
  const random = createRandom('weights')
  const seen = { often: 0, seldom: 0, never: 0 }
  for (let i = 0; i < 10_000; i++) seen[random.weighted({ often: 3, seldom: 1, never: 0 })]++
  expect(seen.never).toBe(0)
  expect(seen.often / seen.seldom).toBeGreaterThan(2.7)
  expect(seen.often / seen.seldom).toBeLessThan(3.3)
})

test('normal draws have the requested mean and deviation', () => {
  const random = createRandom('normal')
  const draws = Array.from({ length: 10_000 }, () => random.normal(4, 2))
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length
  const deviation = Math.sqrt(draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length)
  expect(mean).toBeCloseTo(4, 0)
  expect(deviation).toBeCloseTo(2, 0)
})

test('shuffling keeps every item', () => {
  const list = Array.from({ length: 50 }, (_, i) => i)
  const shuffled = createRandom('cards').shuffle(list)
  expect(shuffled).not.toEqual(list)
  expect(shuffled.toSorted((a, b) => a - b)).toEqual(list)
})

test('throws if there is nothing to pick from', () => {
  expect(() => createRandom('empty').pick([])).toThrow('Nothing to pick from')
  expect(() => createRandom('empty').weighted({ a: 0 })).toThrow('Nothing to pick from')
})
