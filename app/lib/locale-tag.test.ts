import { expect, test } from 'vitest'
import { toLocaleTag } from './locale-tag.ts'

test.each([
  ['en', 'Canada', 'en-CA'],
  ['en', 'Australia', 'en-AU'],
  ['en', 'Sydney', 'en-AU'],
  ['en', 'United Kingdom', 'en-GB'],
  ['en', 'United States', 'en-US'],
  ['en', 'New Zealand', 'en-NZ'],
  ['fr-CA', 'Canada', 'fr-CA'],
  ['cy', 'United Kingdom', 'cy-GB'],
] as const)('%s in %s is %s', (language, region, tag) => {
  expect(toLocaleTag(language, region)).toBe(tag)
})
