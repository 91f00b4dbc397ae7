import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TEXTS } from '#app/server/i18n.ts'
import { ROOT } from '#tests/support/product.ts'
import { LANGUAGES, type Language } from './languages.ts'
import * as answerItems from './answer-items.ts'
import * as deviceStorage from './device-storage.ts'
import * as items from './stored-items.ts'
import type { StoredItem } from './device-storage.ts'

const SOURCES = globSync('app/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
const STORED: readonly StoredItem[] = items.STORED_ITEMS
/** The name of each item in code, such as `BROWSER_ITEM`. */
const NAMED = new Map(Object.entries({ ...answerItems, ...deviceStorage, ...items }) as [string, StoredItem][])
const textOf = (language: Language, id: string) => (TEXTS[language].cookies as { items: Record<string, string> }).items[id] ?? ''

describe('the list of what is stored on a device', () => {
  it('has every cookie that is set, under the name by which code sets it, and none that nothing sets', () => {
    const set = new Set(SOURCES.flatMap(({ text }) => Array.from(text.matchAll(/buildCookieHeader\((\w+)/g), ([, name]) => name ?? '')))
    // `item` is each of the list, where former names are replaced.
    const named = [...set].filter((name) => name.endsWith('_ITEM'))
    expect(named.map((name) => NAMED.get(name)?.id).toSorted()).toEqual(
      STORED.filter(({ place }) => place === 'cookie')
        .map(({ id }) => id)
        .toSorted(),
    )
  })

  it('is the only way to set a cookie', () => {
    const byHand = SOURCES.filter(({ text }) => /SameSite=/i.test(text)).map(({ path }) => path)
    expect(byHand).toEqual(['app/lib/device-storage.ts'])
  })

  it.each(LANGUAGES)('has a text in %s for each item, and no other', (language) => {
    expect(Object.keys((TEXTS[language].cookies as { items: object }).items).toSorted()).toEqual(STORED.map(({ id }) => id).toSorted())
  })

  it.each([
    ['en', /support/, /write/, /survey/],
    ['fr-CA', /appuy/, /écri/, /sondage/],
    ['cy', /cefnog/, /ysgrifenn/, /arolwg/],
  ] as const)('says in %s that contributions recognise a browser too, not surveys alone', (language, ...words) => {
    for (const word of words) expect(textOf(language, items.BROWSER_ITEM.id)).toMatch(word)
  })
})
