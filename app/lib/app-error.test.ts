import { expect, test } from 'vitest'
import { AppError } from './app-error.ts'

test('an error names a hundred faults at most, however many there are: each is translated and sent', () => {
  const faults = Array.from({ length: 10_000 }, (_, at) => ({ code: 'unknown-attribute' as const, pointer: `/${at}` }))
  const error = new AppError('invalid', { faults })
  expect(error.faults).toHaveLength(100)
  expect(error.faults[0]?.pointer).toBe('/0')
})
