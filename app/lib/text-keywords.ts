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
    'arretez',
    'desabonner',
    'desabonnez',
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

/** What people add to STOP out of politeness or anger. A text of nothing else still asks to stop. */
const WORDS_AROUND_STOP = new Set(
  [
    'please pls plz kindly thanks thank you thx ty cheers me now this these it all texting messaging sending texts text messages sms from',
    'svp s il vous te plait stp merci moi me m maintenant les des ces messages textos envoyer de',
    'plis os gwelwch yn dda gweli di n diolch fi nawr anfon negeseuon tecstio',
  ].flatMap((words) => words.split(' ')),
)

/** STOP as it is spelled in a text that asks for nothing else: "Stop please", "STOP, thanks", "stop 🙏". */
function findStopWord(text: string): string | undefined {
  const words = normaliseWords(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
  // From the longest on, so that "stop all" is found before "stop".
  for (let length = words.length; length > 0; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const spelled = words.slice(from, from + length).join(' ')
      const around = [...words.slice(0, from), ...words.slice(from + length)]
      if (STOP_WORDS.has(spelled) && around.every((word) => WORDS_AROUND_STOP.has(word))) return STOP_WORDS.get(spelled)
    }
  }
  return undefined
}

const STOP_WORDS = new Map(KEYWORD_SPELLINGS.stop.map((word) => [word.replaceAll('-', ' '), word]))
/** Longer texts are read as answers. */
const MAX_STOP_LETTERS = 80

/** The spelling of the keyword that a text consists of. */
const findSpelling = (text: string): string | undefined => {
  const words = normaliseWords(text)
  return BY_WORD.has(words) ? words : words.length <= MAX_STOP_LETTERS ? findStopWord(words) : undefined
}

/**
 * The keyword that a text consists of, whatever its case, accents, spaces and quotes; undefined if it says more. STOP may come with
 * polite words and emoji.
 */
export const findKeyword = (text: string): Keyword | undefined => BY_WORD.get(findSpelling(text) ?? '')

/** Keywords that give away the sender's language. */
const LANGUAGE_KEYWORDS: Partial<Record<Language, readonly string[]>> = {
  'fr-CA': ['arret', 'arreter', 'arretez', 'desabonner', 'desabonnez', 'desabonnement', 'oui', 'commencer', 'aide'],
  cy: ['stopio', 'stopiwch', 'dad-danysgrifio', 'daddanysgrifio', 'canslo', 'diwedd', 'gorffen', 'dechrau', 'ie', 'iawn', 'cymorth'],
}

/** The language that a keyword gives away; undefined for those that everybody uses. */
export function findKeywordLanguage(text: string): Language | undefined {
  const spelling = findSpelling(text) ?? ''
  return (Object.keys(LANGUAGE_KEYWORDS) as Language[]).find((language) => LANGUAGE_KEYWORDS[language]?.includes(spelling))
}

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
