import { expect, test } from 'vitest'
import { parseColor } from './color.ts'

test.each([
  ['#0B4F6C', '#0b4f6c'],
  [' 0b4f6c\n', '#0b4f6c'],
  ['#fa0', '#ffaa00'],
  ['', undefined],
  ['#0b4f6', undefined],
  ['#0b4f6c80', undefined],
  ['red', undefined],
])('a pasted %j is read as %s', (text, color) => {
  expect(parseColor(text)).toBe(color)
})
