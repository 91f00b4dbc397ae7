import { describe, expect, test } from 'vitest'
import type { Language } from '../lib/languages.ts'
import { addLanguageOffer, findOfferedLanguage } from './language-offer.ts'

const site = { locale: 'en' as Language, languages: ['en', 'fr-CA'] as Language[] }
const find = (rest: Partial<Parameters<typeof findOfferedLanguage>[0]> = {}) =>
  findOfferedLanguage({ pathname: '/projects', search: '', cookie: undefined, acceptLanguage: 'fr-FR,fr;q=0.9,en;q=0.8', site, ...rest })

describe('another language is offered', () => {
  test('on the first page, to a browser that prefers it', () => {
    expect(find()).toBe('fr-CA')
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
