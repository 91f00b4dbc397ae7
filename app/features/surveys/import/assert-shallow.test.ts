import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startCpuClock } from '#tests/support/cpu-time.ts'
import { assertShallow } from './assert-shallow.ts'

const MEGABYTE = 1_000_000
/** Generous: linear time takes milliseconds, quadratic time takes minutes. */
const SOON_MS = 5000

const isShallow = (json: string): boolean => {
  try {
    assertShallow(json)
    return true
  } catch {
    return false
  }
}
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

test('accepts JSON up to a hundred levels deep, and no deeper', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 110 }), fc.boolean(), (inner, levels, isList) => {
      let value: unknown = inner
      for (let level = 0; level < levels; level++) value = isList ? [value] : { 'a"]}\\': value }
      expect(isShallow(JSON.stringify(value))).toBe(depthOf(value) <= 100)
    }),
  )
})

test('brackets in strings do not count, whatever is escaped around them', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', 'a') }), (text) => {
      expect(isShallow(JSON.stringify([`${'['.repeat(200)}${text}`]))).toBe(true)
    }),
  )
})

test.each([
  ['a string of escaped quotes that is never closed', `"${'\\"'.repeat(MEGABYTE / 2)}`],
  ['backslashes that are never closed', `"${'\\'.repeat(MEGABYTE)}`],
  ['nothing but quotes', '"'.repeat(MEGABYTE)],
])('scans a megabyte of %s in linear time', (_, text) => {
  const measureCpu = startCpuClock()
  assertShallow(text)
  expect(measureCpu()).toBeLessThan(SOON_MS)
})

test('scans a megabyte of any repeated piece in linear time', () => {
  const piece = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', 'a', ' '), minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(piece, piece, (first, repeated) => {
      const measureCpu = startCpuClock()
      isShallow(first + repeated.repeat(MEGABYTE / repeated.length))
      expect(measureCpu()).toBeLessThan(SOON_MS)
    }),
    { numRuns: 30 },
  )
})
