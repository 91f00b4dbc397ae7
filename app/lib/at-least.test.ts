import { expect, test } from 'vitest'
import { atLeast } from './at-least.ts'

const took = async (work: () => Promise<unknown>) => {
  const start = performance.now()
  await work().catch(() => {})
  return performance.now() - start
}

test('quick work, failed work and slow work all end after the time given, with their own outcome', async () => {
  await expect(atLeast(5, async () => 'done')).resolves.toBe('done')
  await expect(atLeast(5, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await took(() => atLeast(50, async () => 1))).toBeGreaterThan(45)
  expect(await took(() => atLeast(50, () => Promise.reject(new Error('failed'))))).toBeGreaterThan(45)
})
