import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keywordOf } from './keywords.ts'

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
