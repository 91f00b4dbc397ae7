import { expect, test } from 'vitest'
import { omitUnset, readIdParam, readNamesParam, readSortParam } from './list-search.ts'

test('an address keeps only what differs from the whole list', () => {
  expect(omitUnset<{ q?: string; status?: string; page?: number }>({ q: '', status: undefined, page: 1 })).toEqual({})
  expect(omitUnset<{ q?: string; page?: number }>({ q: 'park', page: 2 })).toEqual({ q: 'park', page: 2 })
})

test('a list sorts by a column it knows, in either direction', () => {
  expect(readSortParam('title', ['title', 'closesAt'])).toBe('title')
  expect(readSortParam('-closesAt', ['title', 'closesAt'])).toBe('-closesAt')
  for (const refused of ['--title', 'secret', '', 3, ['title']]) expect(readSortParam(refused, ['title', 'closesAt'])).toBeUndefined()
})

test('columns are named by what tables name them, questions among them', () => {
  for (const names of ['email', 'email,lastSeenAt', 'about.age_band2,about.first-language']) expect(readNamesParam(names)).toBe(names)
  for (const refused of ['', 'a b', '<b>', 'a;b', 3, 'a'.repeat(501)]) expect(readNamesParam(refused)).toBeUndefined()
})

test('an id is a UUID, or there is none', () => {
  expect(readIdParam('0198F00A-0000-7000-8000-00000000abcd')).toBe('0198F00A-0000-7000-8000-00000000abcd')
  for (const refused of ['0198f00a', "0198f00a-0000-7000-8000-00000000abcd'", '------------------------------------', 7, undefined])
    expect(readIdParam(refused)).toBeUndefined()
})
