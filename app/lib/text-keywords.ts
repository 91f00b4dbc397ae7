import type { Language } from './languages.ts'

/** What a standard SMS keyword asks for. */
export type Keyword = 'stop' | 'start' | 'help'

const KEYWORD_SPELLINGS: Record<Keyword, readonly string[]> = {
  stop: [
    'stop',
    'stopall',
    'stop all',
    'unsubscribe',
    'cancel',
    'end',
    'quit',
    'revoke',
    'optout',
    'opt out',
    'opt-out',
    'arret',
    'arreter',
    'desabonner',
    'desabonnement',
    'stopio',
    'stopiwch',
    'dad-danysgrifio',
    'daddanysgrifio',
    'canslo',
    'diwedd',
    'gorffen',
  ],
  start: ['start', 'yes', 'unstop', 'oui', 'commencer', 'dechrau', 'ie', 'iawn'],
  help: ['help', 'info', 'aide', 'cymorth', 'help!'],
}

const BY_WORD = new Map(
  Object.entries(KEYWORD_SPELLINGS).flatMap(([keyword, words]) => words.map((word) => [word, keyword as Keyword] as const)),
)

/** Text without case, accents and punctuation, and with single spaces. */
export const normaliseWords = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s"'“”‘’«».,!?;:()\u200b-\u200f\ufeff]+/g, ' ')
    .trim()

/** The keyword that a text consists of, whatever its case, accents, spaces and quotes; undefined if it says more. */
export const findKeyword = (text: string): Keyword | undefined => BY_WORD.get(normaliseWords(text))

/** Keywords that give away the sender's language. */
const LANGUAGE_KEYWORDS: Partial<Record<Language, readonly string[]>> = {
  'fr-CA': ['arret', 'arreter', 'desabonner', 'desabonnement', 'oui', 'commencer', 'aide'],
  cy: ['stopio', 'stopiwch', 'dad-danysgrifio', 'daddanysgrifio', 'canslo', 'diwedd', 'gorffen', 'dechrau', 'ie', 'iawn', 'cymorth'],
}

/** The language that a keyword gives away; undefined for those that everybody uses. */
export const findKeywordLanguage = (text: string): Language | undefined =>
  (Object.keys(LANGUAGE_KEYWORDS) as Language[]).find((language) => LANGUAGE_KEYWORDS[language]?.includes(normaliseWords(text)))

const STEPS = {
  back: ['back', 'retour', 'precedent', 'yn ol', 'nol', 'n ol'],
  skip: ['skip', 'passer', 'sauter', 'neidio', 'hepgor'],
} as const

/** A request to go back or skip a question. */
export function findStep(text: string): keyof typeof STEPS | undefined {
  const words = normaliseWords(text)
  if (STEPS.back.some((word) => word === words)) return 'back'
  return STEPS.skip.some((word) => word === words) ? 'skip' : undefined
}

/** Yes or no in any of the languages. */
export function parseYesOrNo(text: string): 'yes' | 'no' | undefined {
  const words = normaliseWords(text)
  if (YES.has(words)) return 'yes'
  return NO.has(words) ? 'no' : undefined
}

const YES = new Set(['yes', 'y', 'yep', 'yeah', 'oui', 'o', 'ie', 'ydw', 'ydy', 'oes', 'iawn', 'byddaf', '1'])
const NO = new Set(['no', 'n', 'nope', 'non', 'na', 'nac', 'nage', 'nac ydw', 'nac ydy', 'nac oes', 'na fyddaf', '2'])

/** A custom keyword as it is stored and compared: capitals and digits. */
export const normaliseKeyword = (text: string): string =>
  normaliseWords(text)
    .replace(/[^a-z0-9]/g, '')
    .toUpperCase()

/** True if a word already has a meaning, for every survey or for the phone networks. */
export const isReservedWord = (word: string): boolean =>
  findKeyword(word) !== undefined || findStep(word) !== undefined || parseYesOrNo(word) !== undefined
