import { expect, test } from 'vitest'
import { parseLocalPath } from './local-path.ts'

test.each(['/', '/projects', '/fr-CA/projects/quai?page=2#dates', '/cy/account', '/a//b'])('%s is a path of the site', (path) => {
  expect(parseLocalPath(path)).toBe(path)
})

test('a path is taken as a browser would take it', () => {
  expect(parseLocalPath('/a/../b')).toBe('/b')
})

test('a path that becomes another host’s once it is mended is none', () => {
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
])('%j is none', (path) => {
  expect(parseLocalPath(path)).toBeUndefined()
})

test('a path longer than any of ours is none', () => {
  expect(parseLocalPath(`/${'a'.repeat(2001)}`)).toBeUndefined()
})
