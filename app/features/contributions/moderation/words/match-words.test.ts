import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '#app/lib/languages.ts'
import { DEFAULT_WORDS } from './default-words.ts'
import { createWordMatcher, splitIntoWords, type WordList } from './match-words.ts'
import { mutateWelsh } from '#app/lib/welsh-mutations.ts'

const match = (language: Language, words: string[], text: string) =>
  createWordMatcher([{ language, held: words, flagged: [] }])([text]) === 'hold'

describe('a listed word', () => {
  test.each([
    ['en', 'badger', 'A BADGER, here!', true],
    ['en', 'badger', 'badgers and badgering', false],
    ['en', 'badger', '“badger’s”', true],
    ['en', 'blue badger', 'a blue-badger', true],
    ['en', 'blue badger', 'blue and badger', false],
    ['en', 'badger', 'Badgér', true],
    ['fr-CA', 'écureuil', 'L’ECUREUIL', true],
    ['fr-CA', 'écureuil', "jusqu'écureuil, lorsqu’écureuil", true],
    ['fr-CA', 'écureuil', 'un écureuil-là', true],
    ['fr-CA', 'écureuil', 'des écureuils', false],
    ['fr-CA', 'œuf', 'un OEUF', true],
  ] as const)('in %s: %s in “%s”', (language, word, text, expected) => expect(match(language, [word], text)).toBe(expected))

  test.each(['l’', "d'", 'qu’', 'j’', 'n’', 's’', 'c’', 'm’', 't’', 'jusqu’', 'lorsqu’', 'puisqu’', 'quoiqu’'])('after %s', (elided) =>
    expect(match('fr-CA', ['abeille'], `Voici ${elided}abeille.`)).toBe(true),
  )
})

describe('Welsh mutations', () => {
  // Expected forms: BydTermCymru’s table of initial mutations.
  test.each([
    ['cath', ['gath', 'nghath', 'chath']],
    ['pen', ['ben', 'mhen', 'phen']],
    ['tad', ['dad', 'nhad', 'thad']],
    ['gardd', ['ardd', 'ngardd']],
    ['bara', ['fara', 'mara']],
    ['dafad', ['ddafad', 'nafad']],
    ['llyfr', ['lyfr']],
    ['rhosyn', ['rosyn']],
    ['merch', ['ferch']],
    ['afal', ['hafal']],
    ['siop', []],
    ['ffenest', []],
    ['chwaer', []],
  ])('of %s', (word, forms) => expect(mutateWelsh(word)).toEqual(forms))

  test('are found, in the Welsh list only', () => {
    for (const text of ['Mae gath yma', 'fy nghath i', 'ei CHATH hi', 'y cath'])
      expect([text, match('cy', ['cath'], text)]).toEqual([text, true])
    expect(match('en', ['cath'], 'Mae gath yma')).toBe(false)
    for (const text of ['athro', 'cathod', 'ath', 'math', 'catha', 'gathering'])
      expect([text, match('cy', ['cath'], text)]).toEqual([text, false])
  })

  test('are not looked for where they are everyday words', () => {
    expect(match('cy', ['gast'], 'Mae ast yn y stryd')).toBe(false)
    expect(match('cy', ['gast'], 'yr hen gast')).toBe(true)
    expect(match('cy', ['gwain'], 'ar y wain, y Waun')).toBe(false)
    expect(match('cy', ['pen'], 'o ben y bryn')).toBe(false)
    expect(match('cy', ['ci'], 'fy nghi, ei gi')).toBe(true)
    expect(match('cy', ['ci'], 'ei gi')).toBe(false)
  })
})

/** A language that was just added has no words yet, and no sentences to try them on. */
const TRIED_LANGUAGES = LANGUAGES.filter((language) => DEFAULT_WORDS[language].held.length > 0)
const DEFAULT_LISTS: WordList[] = TRIED_LANGUAGES.map((language) => ({ language, ...DEFAULT_WORDS[language] }))
const findEffect = createWordMatcher(DEFAULT_LISTS)

/** Sentences that others wrote: see the README beside them. */
const readOrdinary = (language: Language): string[] =>
  readFileSync(new URL(`ordinary-sentences/${language}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')

describe('the default lists', () => {
  test('treat Welsh as they treat English and French: of 400 ordinary sentences, none is held in any of them', () => {
    const counted = TRIED_LANGUAGES.map((language) => {
      const sentences = readOrdinary(language)
      const effects = sentences.map((sentence) => findEffect([sentence]))
      return {
        language,
        sentences: sentences.length,
        held: effects.filter((effect) => effect === 'hold').length / sentences.length,
        flagged: effects.filter((effect) => effect === 'flag').length / sentences.length,
      }
    })
    expect(counted).toEqual(TRIED_LANGUAGES.map((language) => ({ language, sentences: 400, held: 0, flagged: 0 })))
  })

  test('would not treat them alike with the words of the public Welsh list', () => {
    const share = (language: Language, words: string[]) => {
      const isHeld = createWordMatcher([{ language, held: words, flagged: [] }])
      return readOrdinary(language).filter((sentence) => isHeld([sentence])).length
    }
    expect(share('cy', ['rhyw', 'gwain', 'ast', 'erthyliad', 'llofruddiaeth', 'gwaedlyd'])).toBeGreaterThan(0)
  })

  test('have none of the ordinary words that public lists have', () => {
    for (const word of [
      'rhyw',
      'gwain',
      'ast',
      'erthyliad',
      'llofruddiaeth',
      'gwaedlyd',
      'pys a ffagots',
      'peas and faggots',
      'en retard',
      'cont. overleaf',
    ])
      expect([word, findEffect([word])]).toEqual([word, undefined])
  })

  test('find what they list, in every language alike', () => {
    for (const { held, flagged } of DEFAULT_LISTS) {
      for (const word of held) expect([word, findEffect([`… ${word.toUpperCase()}!`])]).toEqual([word, 'hold'])
      for (const word of flagged) expect([word, findEffect([`… ${word}!`])]).toEqual([word, 'flag'])
    }
    expect(findEffect(['yr hen hwren', 'bitch'])).toBe('hold')
    expect(findEffect(['fy nghachu'])).toBe('flag')
  })

  test('have each entry once, folded', () => {
    for (const { held, flagged } of DEFAULT_LISTS) {
      const folded = [...held, ...flagged].map((word) => splitIntoWords(word).join(' '))
      expect(folded).toEqual([...new Set(folded)])
    }
  })
})
