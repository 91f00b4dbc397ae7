import type { Language } from './languages.ts'

/** What a text asks for that holds one of the words everybody's phone knows. */
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

/** Words without case, accents, punctuation and spaces around them. */
export const normaliseWords = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s"'“”‘’«».,!?;:()\u200b-\u200f\ufeff]+/g, ' ')
    .trim()

/** The keyword a text is, whatever its case, accents, spaces and quotes; undefined for a text that says more. */
export const findKeyword = (text: string): Keyword | undefined => BY_WORD.get(normaliseWords(text))

/** Words that only who speaks the language writes. */
const LANGUAGE_KEYWORDS: Partial<Record<Language, readonly string[]>> = {
  'fr-CA': ['arret', 'arreter', 'desabonner', 'desabonnement', 'oui', 'commencer', 'aide'],
  cy: ['stopio', 'stopiwch', 'dad-danysgrifio', 'daddanysgrifio', 'canslo', 'diwedd', 'gorffen', 'dechrau', 'ie', 'iawn', 'cymorth'],
}

/** The language that a keyword gives away; undefined where everybody's phone knows it. */
export const findKeywordLanguage = (text: string): Language | undefined =>
  (Object.keys(LANGUAGE_KEYWORDS) as Language[]).find((language) => LANGUAGE_KEYWORDS[language]?.includes(normaliseWords(text)))

const STEPS = {
  back: ['back', 'retour', 'precedent', 'yn ol', 'nol', 'n ol'],
  skip: ['skip', 'passer', 'sauter', 'neidio', 'hepgor'],
} as const

/** The way somebody asks to go in a survey, other than forward. */
export function findStep(text: string): keyof typeof STEPS | undefined {
  const words = normaliseWords(text)
  if (STEPS.back.some((word) => word === words)) return 'back'
  return STEPS.skip.some((word) => word === words) ? 'skip' : undefined
}

/** Yes or no, as a text says it in any of the languages. */
export function parseYesOrNo(text: string): 'yes' | 'no' | undefined {
  const words = normaliseWords(text)
  if (YES.has(words)) return 'yes'
  return NO.has(words) ? 'no' : undefined
}

const YES = new Set(['yes', 'y', 'yep', 'yeah', 'oui', 'o', 'ie', 'ydw', 'ydy', 'oes', 'iawn', 'byddaf', '1'])
const NO = new Set(['no', 'n', 'nope', 'non', 'na', 'nac', 'nage', 'nac ydw', 'nac ydy', 'nac oes', 'na fyddaf', '2'])

/** A word of somebody's own as it is kept and compared: capitals and digits. */
export const normaliseKeyword = (text: string): string =>
  normaliseWords(text)
    .replace(/[^a-z0-9]/g, '')
    .toUpperCase()

/** Whether a word means something already, to every survey or to the phone networks. */
export const isReservedWord = (word: string): boolean =>
  findKeyword(word) !== undefined || findStep(word) !== undefined || parseYesOrNo(word) !== undefined
