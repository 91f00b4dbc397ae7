import { describe, expect, test } from 'vitest'
import type { AddedLanguage } from '../lib/added-languages.ts'
import type { Language } from '../lib/languages.ts'
import { addLanguageOffer, findOfferedLanguage } from './language-offer.ts'

const site = { locale: 'en' as Language, languages: ['en', 'fr-CA'] as Language[], addedLanguages: [] as AddedLanguage[] }
const find = (rest: Partial<Parameters<typeof findOfferedLanguage>[0]> = {}) =>
  findOfferedLanguage({ pathname: '/projects', search: '', cookie: undefined, acceptLanguage: 'fr-FR,fr;q=0.9,en;q=0.8', site, ...rest })

describe('another language is offered', () => {
  test('on the first page, to a browser that prefers it', () => {
    expect(find()).toBe('fr-CA')
  })

  test('also one that the site added for its content, in the reader’s order', () => {
    const added = { ...site, addedLanguages: ['pa', 'ur'] as AddedLanguage[] }
    expect(find({ site: added, acceptLanguage: 'pa-IN,en;q=0.8' })).toBe('pa')
    expect(find({ site: added, acceptLanguage: 'fr,pa;q=0.8' })).toBe('fr-CA')
    expect(find({ site: added, acceptLanguage: 'so' })).toBeUndefined()
    expect(find({ site: { ...added, languages: ['en'] }, acceptLanguage: 'ur' })).toBe('ur')
    expect(find({ site: added, acceptLanguage: 'pa', cookie: 'en' })).toBeUndefined()
  })

  test.each([
    ['once the language is settled', { cookie: 'en' }],
    ['if the browser prefers the site’s own', { acceptLanguage: 'en-CA,fr;q=0.5' }],
    ['if the browser says nothing', { acceptLanguage: undefined }],
    ['if the site does not have it', { acceptLanguage: 'cy' }],
    ['if the site has one language', { site: { ...site, languages: site.languages.slice(0, 1) } }],
    ['if the address names a language', { pathname: '/en/projects' }],
    ['if the query names one', { search: '?lng=en' }],
    ['in the administration', { pathname: '/admin' }],
    ['in an embedded page', { pathname: '/embed/projects/bus' }],
  ])('not %s', (_case, rest) => {
    expect(find(rest)).toBeUndefined()
  })
})

test('the offer stands at the top of the page, in its own language, and leads to the same page', () => {
  const html = '<html><head></head><body data-x="1"><p>Page</p></body></html>'
  expect(addLanguageOffer(html, '/projects', undefined)).toBe(html)
  const shown = addLanguageOffer(html, '/projects?topic="a"&page=2', 'fr-CA')
  expect(shown).toMatch(/<body data-x="1"><aside [^>]*lang="fr-CA"[^>]*>/)
  expect(shown).toContain('<a href="/fr-CA/projects?topic=&quot;a&quot;&amp;page=2">Lire en français</a>')
  expect(shown).toContain('</aside><p>Page</p>')
})

test('the name of an added language is the link, in its script and direction, after a sentence in the language of the page', () => {
  const html = '<html data-a="1" lang="fr-CA"><body><p>Page</p></body></html>'
  const shown = addLanguageOffer(html, '/projects', 'ur')
  expect(shown).toContain(
    '<p>Des parties de ce site existent aussi en\u00A0: <a href="/ur/projects" lang="ur" hreflang="ur" dir="rtl">اردو</a></p>',
  )
  expect(shown).not.toMatch(/<aside[^>]* lang=/)
  expect(addLanguageOffer(html.replace('fr-CA', 'en'), '/', 'pa')).toContain('lang="pa" hreflang="pa">ਪੰਜਾਬੀ</a>')
})
