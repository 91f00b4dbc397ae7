import { describe, expect, it } from 'vitest'
import type { AddedLanguage } from '#app/lib/added-languages.ts'
import type { Language } from '#app/lib/languages.ts'
import { detectLanguage, toPathInLanguage, createLanguageCookie, type LanguageRequest } from './language.ts'

const site = { locale: 'en' as Language, languages: ['en', 'fr-CA'] as Language[], addedLanguages: ['pl', 'zh-Hans'] as AddedLanguage[] }
const detect = (pathname: string, rest: Partial<LanguageRequest> = {}) =>
  detectLanguage({ pathname, search: '', cookie: undefined, site, ...rest })

describe('the language of a page', () => {
  it('comes from the address first', () => {
    expect(detect('/fr-CA/projects', { search: '?lng=en', cookie: 'en' }).language).toBe('fr-CA')
  })

  it('comes from the query string before the cookie', () => {
    expect(detect('/projects', { search: '?lng=fr-CA', cookie: 'en' }).language).toBe('fr-CA')
    expect(detect('/projects', { search: '?lng=fr', cookie: 'en' }).language).toBe('fr-CA')
  })

  it('comes from the cookie before the site’s own', () => {
    expect(detect('/projects', { cookie: 'fr-CA' })).toEqual({ language: 'fr-CA' })
  })

  it('is the site’s own on a first visit, whatever the browser prefers, and is stored', () => {
    expect(detect('/projects', { preferred: 'fr-CA' })).toEqual({ language: 'en', setCookie: createLanguageCookie('en') })
  })

  it('is never one the site does not offer', () => {
    expect(detect('/projects', { search: '?lng=cy' }).language).toBe('en')
    expect(detect('/projects', { cookie: 'cy' }).language).toBe('en')
    expect(detect('/cy/projects', { search: '?topic=water' })).toEqual({ language: 'en', redirect: '/projects?topic=water' })
    expect(detect('/cy')).toEqual({ language: 'en', redirect: '/' })
    expect(detect('/cy//elsewhere.example').redirect).toBe('/elsewhere.example')
  })

  it('may be one that the site added for its content', () => {
    expect(detect('/pl/projects').language).toBe('pl')
    expect(detect('/projects', { search: '?lng=zh-CN' }).language).toBe('zh-Hans')
    expect(detect('/projects', { cookie: 'pl' })).toEqual({ language: 'pl' })
    expect(detect('/ar/projects')).toEqual({ language: 'en', redirect: '/projects' })
  })

  it.each(['<script>', '__proto__', '%', 'en\r\nset-cookie: a=b', ''])('is the site’s own if the cookie holds %j', (cookie) => {
    expect(detect('/projects', { cookie })).toEqual({ language: 'en', setCookie: createLanguageCookie('en') })
  })
})

describe('the language cookie', () => {
  it('lasts two days for the whole site, secure and strict', () => {
    expect(createLanguageCookie('fr-CA')).toBe('current_language=fr-CA; Max-Age=172800; Path=/; Secure; SameSite=Strict')
  })

  it('follows an explicit choice', () => {
    expect(detect('/fr-CA/projects', { cookie: 'en' }).setCookie).toBe(createLanguageCookie('fr-CA'))
    expect(detect('/projects', { search: '?lng=fr-CA', cookie: 'en' }).setCookie).toBe(createLanguageCookie('fr-CA'))
    expect(detect('/fr-CA/projects', { cookie: 'fr-CA' }).setCookie).toBeUndefined()
  })

  it('is not overwritten after a link from another site, because a strict cookie is not sent then', () => {
    expect(detect('/projects', { fetchSite: 'cross-site' })).toEqual({ language: 'en' })
    expect(detect('/fr-CA', { fetchSite: 'cross-site' }).setCookie).toBe(createLanguageCookie('fr-CA'))
  })
})

describe('the language of a call', () => {
  it('is the one the caller prefers among the site’s languages, and is not stored', () => {
    expect(detect('/api/v2/projects', { preferred: 'fr-CA' })).toEqual({ language: 'fr-CA' })
    expect(detect('/_serverFn/abc', { preferred: 'fr-CA', cookie: 'en' })).toEqual({ language: 'fr-CA' })
    expect(detect('/api/v2/projects', { cookie: 'fr-CA' })).toEqual({ language: 'en' })
  })
})

it('links to the same page in another language', () => {
  expect(toPathInLanguage('/', 'cy')).toBe('/cy')
  expect(toPathInLanguage('/cy/projects', 'ar')).toBe('/ar/projects')
  expect(toPathInLanguage('/fr-CA/projects/a', 'en')).toBe('/en/projects/a')
})
