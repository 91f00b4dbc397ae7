import { expect, test } from 'vitest'
import { parseLocalPath } from './local-path.ts'

test.each(['/', '/projects', '/fr-CA/projects/quai?page=2#dates', '/cy/account', '/a//b'])('accepts %s as a path of the site', (path) => {
  expect(parseLocalPath(path)).toBe(path)
})

test('resolves a path like a browser', () => {
  expect(parseLocalPath('/a/../b')).toBe('/b')
})

test('refuses a path that resolves to another host', () => {
  expect(parseLocalPath('/.//evil.example')).toBeUndefined()
})

test.each([
  undefined,
  null,
  '',
  'projects',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  ' /projects',
  '/\n/evil.example',
  '/a\u0000b',
  'javascript:alert(1)',
])('refuses %j', (path) => {
  expect(parseLocalPath(path)).toBeUndefined()
})

test('refuses a path longer than any of ours', () => {
  expect(parseLocalPath(`/${'a'.repeat(2001)}`)).toBeUndefined()
})
