import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isReservedWord, findKeyword, findKeywordLanguage, normaliseKeyword, findStep, parseYesOrNo } from './text-keywords.ts'

const STOP = 'STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT ARRET ARRÊT STOPIWCH CANSLO'.split(' ')

test.each(STOP)('%s unsubscribes', (word) => {
  for (const written of [word, word.toLowerCase(), `  ${word}\n`, `"${word}."`, word.normalize('NFD'), `${word}!`])
    expect(findKeyword(written)).toBe('stop')
})

test.each([
  'stop please',
  'STOP, thanks',
  'stop 🙏',
  '🛑 STOP 🛑',
  'unsubscribe me',
  'Please stop texting me',
  'please stop sending me these messages!',
  'Stop all messages now',
  'stop-all',
  'ARRÊT svp',
  'Arrêtez s’il vous plaît',
  'désabonnez-moi',
  'Stopiwch os gwelwch yn dda',
  'dad danysgrifio, diolch',
])('“%s” unsubscribes too', (text) => expect(findKeyword(text)).toBe('stop'))

test.each([
  'please do not stop',
  "don't stop",
  'Stop the trucks',
  'A bus stop',
  'The end of the street',
  'thanks',
  '🙏',
  'me',
  'quit smoking signs',
  'N’arrêtez pas',
  'please',
  'cancel the bridge please',
])('“%s” is an answer', (text) => expect(findKeyword(text)).toBe(undefined))

test('a polite STOP gives its language away', () => {
  expect(['Arrêt, merci', 'Stopiwch diolch', 'stop please'].map(findKeywordLanguage)).toEqual(['fr-CA', 'cy', undefined])
})

test('START and YES resubscribe, HELP and AIDE ask for help; a sentence does neither', () => {
  expect(['Start', 'YES', 'Oui', 'ie'].map(findKeyword)).toEqual(['start', 'start', 'start', 'start'])
  expect(['help', 'AIDE', 'Cymorth'].map(findKeyword)).toEqual(['help', 'help', 'help'])
  expect(['please do not stop', 'The end of the street', '', '!!!', 'yes but later'].map(findKeyword)).toEqual(Array(5).fill(undefined))
})

test('punctuation, spaces, case and accents make no difference', () => {
  const space = fc.stringMatching(/^[ \t\n.!"]{0,4}$/)
  fc.assert(
    fc.property(fc.constantFrom(...STOP), space, space, fc.boolean(), (word, before, after, lower) => {
      expect(findKeyword(before + (lower ? word.toLowerCase() : word).normalize('NFD') + after)).toBe('stop')
    }),
  )
})

test('recognises BACK, SKIP, yes and no in each language', () => {
  expect(['BACK', 'Retour', 'précédent', 'yn ôl', "'nôl"].map(findStep)).toEqual(Array(5).fill('back'))
  expect(['skip', 'Passer', 'neidio'].map(findStep)).toEqual(Array(3).fill('skip'))
  expect(['Yes!', 'oui', 'Ydw', '1', 'O'].map(parseYesOrNo)).toEqual(Array(5).fill('yes'))
  expect(['no', 'NON', 'Nac ydw', '2'].map(parseYesOrNo)).toEqual(Array(4).fill('no'))
  expect([findStep('back to the park'), parseYesOrNo('no idea')]).toEqual([undefined, undefined])
})

test('a custom keyword is stored without case and accents, and may not be a reserved word', () => {
  expect(['Été', ' tŷ ', 'parc-2'].map(normaliseKeyword)).toEqual(['ETE', 'TY', 'PARC2'])
  expect(['STOP', 'Arret', 'HELP', 'retour', 'OUI'].map(isReservedWord)).toEqual(Array(5).fill(true))
  expect(isReservedWord('TREES')).toBe(false)
})
