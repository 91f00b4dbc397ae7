import { describe, expect, test } from 'vitest'
import { isAnonymous, pageKey, storablePath } from './page-key.ts'

describe('a page for everybody', () => {
  test.each([
    ['/projects', '', '/projects'],
    ['/projects', '?', '/projects'],
    ['/fr-CA/projects', '?status=open&topic=roads', '/fr-CA/projects?status=open&topic=roads'],
    ['/projects', '?topic=roads&status=open', '/projects?status=open&topic=roads'],
    ['/projects', '?utm_source=mail&fbclid=abc', '/projects'],
    ['/projects', '?page=2&utm_campaign=x', '/projects?page=2'],
  ])('%s%s is kept as %s', (path, search, kept) => {
    expect(storablePath(path, search)).toBe(kept)
  })

  test.each([
    ['/projects', '?q=bus'],
    ['/projects', '?preview=token'],
    ['/projects', `?topic=${'x'.repeat(100)}`],
    ['/account', ''],
    ['/cy/account', ''],
    ['/admin/projects', ''],
    ['/fr-CA/admin', ''],
    ['/live-preview/home', ''],
    ['/cy/receipt', ''],
    ['/projects/bus/surveys/stops', ''],
    ['/embed/surveys/1', ''],
    ['/api/v2/projects', ''],
    ['/_serverFn/abc', ''],
  ])('%s%s is not one', (path, search) => {
    expect(storablePath(path, search)).toBeUndefined()
  })

  test('is not for who carries a cookie that could change it', () => {
    expect(isAnonymous(['current_language', '_ga', '_ga_X1', 'ajs_anonymous_id', 'intercom-id-abc'])).toBe(true)
    for (const name of ['token', 'browser', 'anything', 'current_language2']) expect(isAnonymous(['current_language', name])).toBe(false)
  })

  test('differs by site, name, version, language, answer about consent and path', () => {
    const site = { id: 'a', host: 'a.example', contentVersion: 1 }
    const keys = [
      pageKey(site, 'en', '', '/'),
      pageKey({ ...site, id: 'b' }, 'en', '', '/'),
      pageKey({ ...site, host: 'b.example' }, 'en', '', '/'),
      pageKey({ ...site, contentVersion: 2 }, 'en', '', '/'),
      pageKey(site, 'cy', '', '/'),
      pageKey(site, 'en', 'granted', '/'),
      pageKey(site, 'en', '', '/?page=2'),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
})
