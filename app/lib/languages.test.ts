import { describe, expect, it } from 'vitest'
import { ADDED_LANGUAGES, getDirection } from './added-languages.ts'
import { getLanguageName } from './language-names.ts'
import { CONTENT_LANGUAGES, isInterfaceLanguage, matchLanguage, splitLanguage, toInterfaceLanguage } from './languages.ts'
import { localiseText } from './localised-text.ts'

describe('languages that a site may add', () => {
  it('are well-formed tags, each once, and none of the interface', () => {
    expect(Intl.getCanonicalLocales([...ADDED_LANGUAGES])).toEqual([...ADDED_LANGUAGES])
    expect(ADDED_LANGUAGES.filter((language) => isInterfaceLanguage(language))).toEqual([])
  })

  it('have the names that their speakers give them', () => {
    expect(['pl', 'ar', 'pa', 'zh-Hans', 'so', 'ur', 'cy'].map((tag) => getLanguageName(tag as 'pl'))).toEqual([
      'Polski',
      'العربية',
      'ਪੰਜਾਬੀ',
      '简体中文',
      'Soomaali',
      'اردو',
      'Cymraeg',
    ])
    const unnamed = ADDED_LANGUAGES.filter((tag) => getLanguageName(tag).toLowerCase() === tag.toLowerCase())
    expect(unnamed).toEqual([])
  })

  it.each(['ar', 'ur', 'fa', 'he', 'ps'])('%s is written from right to left', (language) => expect(getDirection(language)).toBe('rtl'))
  it.each(['pl', 'zh-Hans', 'en', undefined])('%s is written as the page is', (language) => expect(getDirection(language)).toBeUndefined())

  it('leave the interface in the site’s own language', () => {
    expect(toInterfaceLanguage('pl', 'cy')).toBe('cy')
    expect(toInterfaceLanguage('fr-CA', 'cy')).toBe('fr-CA')
  })

  it('are found in addresses and by the tags of browsers', () => {
    expect(splitLanguage('/pl/projects')).toEqual({ language: 'pl', path: '/projects' })
    expect(splitLanguage('/projects')).toEqual({ language: undefined, path: '/projects' })
    expect(matchLanguage('pl-PL', CONTENT_LANGUAGES)).toBe('pl')
    expect(matchLanguage('zh-TW', CONTENT_LANGUAGES)).toBe('zh-Hant')
    expect(matchLanguage('pl')).toBeUndefined()
  })
})

describe('a text on a page', () => {
  const text = { en: 'Library', pl: 'Biblioteka', ar: 'مكتبة' }

  it('is marked if it is not in the language of the interface', () => {
    expect(localiseText(text, 'pl', 'en')).toEqual({ text: 'Biblioteka', lang: 'pl' })
    expect(localiseText(text, 'en', 'en')).toEqual({ text: 'Library' })
  })

  it('falls back to the site’s own language, in which the page is', () => {
    expect(localiseText(text, 'so', 'en')).toEqual({ text: 'Library' })
    expect(localiseText({ pl: 'Biblioteka' }, 'en', 'en')).toEqual({ text: 'Biblioteka', lang: 'pl' })
  })
})
