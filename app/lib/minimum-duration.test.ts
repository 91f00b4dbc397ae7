import { expect, test } from 'vitest'
import { withMinimumDuration } from './minimum-duration.ts'

const took = async (work: () => Promise<unknown>) => {
  const start = performance.now()
  await work().catch(() => {})
  return performance.now() - start
}

test('quick, failing and slow work all take at least the given time and keep their outcome', async () => {
  await expect(withMinimumDuration(5, async () => 'done')).resolves.toBe('done')
  await expect(withMinimumDuration(5, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await took(() => withMinimumDuration(50, async () => 1))).toBeGreaterThan(45)
  expect(await took(() => withMinimumDuration(50, () => Promise.reject(new Error('failed'))))).toBeGreaterThan(45)
})
