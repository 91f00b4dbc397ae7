import { expect, test } from 'vitest'
import { findPreferredLanguage } from './accept-language.ts'

test.each([
  ['cy, en;q=0.5, fr;q=0.8', ['en', 'fr-CA'], 'fr-CA'],
  ['en;q=0.4, cy-GB;q=0.9', ['en', 'cy'], 'cy'],
  ['en;q=0, fr', ['en', 'fr-CA'], 'fr-CA'],
  ['en;q=0', ['en'], undefined],
  [';;q=x,,*;q=0', ['en'], undefined],
  ['de, it', ['en', 'fr-CA', 'cy'], undefined],
  ['x'.repeat(1001), ['en'], undefined],
  ['', ['en'], undefined],
] as const)('picks from %j, offered %j: %s', (header, offered, expected) => {
  expect(findPreferredLanguage(header, offered)).toBe(expected)
})

test('no header means no preferred language', () => {
  expect(findPreferredLanguage(null)).toBeUndefined()
  expect(findPreferredLanguage(undefined)).toBeUndefined()
})
