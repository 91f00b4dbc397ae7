import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTakenWord, keywordOf, ownKeyword, stepOf, yesOrNo } from './text-keywords.ts'

const STOP = 'STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT ARRET ARRÊT STOPIWCH CANSLO'.split(' ')

test.each(STOP)('%s ends texts', (word) => {
  for (const written of [word, word.toLowerCase(), `  ${word}\n`, `"${word}."`, word.normalize('NFD'), `${word}!`])
    expect(keywordOf(written)).toBe('stop')
})

test('START and YES bring them back, HELP and AIDE ask; a sentence is none of them', () => {
  expect(['Start', 'YES', 'Oui', 'ie'].map(keywordOf)).toEqual(['start', 'start', 'start', 'start'])
  expect(['help', 'AIDE', 'Cymorth'].map(keywordOf)).toEqual(['help', 'help', 'help'])
  expect(['please do not stop', 'The end of the street', '', '!!!', 'yes but later'].map(keywordOf)).toEqual(Array(5).fill(undefined))
})

test('whatever is around and between, case and accents change nothing', () => {
  const space = fc.stringMatching(/^[ \t\n.!"]{0,4}$/)
  fc.assert(
    fc.property(fc.constantFrom(...STOP), space, space, fc.boolean(), (word, before, after, lower) => {
      expect(keywordOf(before + (lower ? word.toLowerCase() : word).normalize('NFD') + after)).toBe('stop')
    }),
  )
})

test('BACK and SKIP are known in each language, and so are yes and no', () => {
  expect(['BACK', 'Retour', 'précédent', 'yn ôl', "'nôl"].map(stepOf)).toEqual(Array(5).fill('back'))
  expect(['skip', 'Passer', 'neidio'].map(stepOf)).toEqual(Array(3).fill('skip'))
  expect(['Yes!', 'oui', 'Ydw', '1', 'O'].map(yesOrNo)).toEqual(Array(5).fill('yes'))
  expect(['no', 'NON', 'Nac ydw', '2'].map(yesOrNo)).toEqual(Array(4).fill('no'))
  expect([stepOf('back to the park'), yesOrNo('no idea')]).toEqual([undefined, undefined])
})

test('a word of one’s own is kept without case and accents, and may not be one that means something already', () => {
  expect(['Été', ' tŷ ', 'parc-2'].map(ownKeyword)).toEqual(['ETE', 'TY', 'PARC2'])
  expect(['STOP', 'Arret', 'HELP', 'retour', 'OUI'].map(isTakenWord)).toEqual(Array(5).fill(true))
  expect(isTakenWord('TREES')).toBe(false)
})
