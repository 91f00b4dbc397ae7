import { expect, test } from 'vitest'
import { buildAppUrl, getDatabaseName, listHostUrls } from './connection-string.ts'

const SEVERAL = 'postgres://owner:p%40ss@one:5432,two:5433,[::1]:5434/town?sslmode=require'

test('a connection string may name several servers', () => {
  expect(listHostUrls(SEVERAL)).toEqual([
    'postgres://owner:p%40ss@one:5432/town?sslmode=require',
    'postgres://owner:p%40ss@two:5433/town?sslmode=require',
    'postgres://owner:p%40ss@[::1]:5434/town?sslmode=require',
  ])
  expect(getDatabaseName(SEVERAL)).toBe('town')
})

test('one server, or a socket folder, stays as it is', () => {
  for (const url of ['postgres://owner:secret@one/town', 'postgresql:///town?host=/run/postgresql&user=owner'])
    expect(listHostUrls(url)).toEqual([url])
})

test('the application connects with its own role to the same servers', () => {
  const urls = listHostUrls(buildAppUrl(SEVERAL, 'a-secret', 'parley_app_town')).map((url) => new URL(url))
  expect(urls.map(({ host }) => host)).toEqual(['one:5432', 'two:5433', '[::1]:5434'])
  for (const { username, password, pathname, search } of urls) {
    expect({ username, pathname, search }).toEqual({ username: 'parley_app_town', pathname: '/town', search: '?sslmode=require' })
    expect(password).toMatch(/^[\da-f]{64}$/)
  }
})
