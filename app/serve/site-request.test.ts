import { beforeAll, expect, test } from 'vitest'
import { createTestRuntime, addSite, type TestRuntime } from '#tests/support/database.ts'
import type { Site } from '#app/server/site-directory.ts'
import { readNextPage, readSiteRequest } from './site-request.ts'

let runtime: TestRuntime
let site: Site

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'mill', languages: ['en', 'fr-CA'] })
})

const read = (pathname: string, sent: { cookie?: string; acceptLanguage?: string; host?: string } = {}) =>
  readSiteRequest(runtime, {
    host: sent.host ?? site.host,
    pathname,
    search: '',
    cookie: sent.cookie,
    acceptLanguage: sent.acceptLanguage,
    fetchSite: undefined,
  })

test('a page is in the language of the cookie, whatever the browser prefers', async () => {
  const asked = await read('/projects', { cookie: 'current_language=fr-CA; token=t', acceptLanguage: 'en' })
  expect(asked).toMatchObject({ site: { id: site.id }, language: 'fr-CA' })
  expect(asked?.cookies.values.get('token')).toBe('t')
})

test('a call is in the language that its header prefers, and stores nothing', async () => {
  const asked = await read('/_serverFn/abc', { cookie: 'current_language=en', acceptLanguage: 'fr-CA' })
  expect(asked).toMatchObject({ language: 'fr-CA' })
  expect(asked).not.toHaveProperty('setCookie')
})

test('an embedded page is anonymous', async () => {
  const asked = await read('/embed/projects/mill', { cookie: 'current_language=fr-CA; token=t' })
  expect(asked).toMatchObject({ language: 'en' })
  expect([...(asked?.cookies.values ?? [])]).toEqual([])
  expect(asked).not.toHaveProperty('setCookie')
})

test('the next page of the same sender keeps the cookies, and its own prefix wins', async () => {
  const asked = await read('/', { cookie: 'current_language=fr-CA' })
  expect(asked && readNextPage(asked, { pathname: '/projects', search: '' })).toMatchObject({ language: 'fr-CA' })
  expect(asked && readNextPage(asked, { pathname: '/en/projects', search: '' })).toMatchObject({ language: 'en' })
})

test('a host of no site has only the page of the first administrator', async () => {
  expect(await read('/projects', { host: 'nobody.example' })).toBeUndefined()
})
