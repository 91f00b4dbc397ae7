/** What a text asks for that holds one of the words everybody's phone knows. */
export type Keyword = 'stop' | 'start' | 'help'

const WORDS: Record<Keyword, readonly string[]> = {
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

const BY_WORD = new Map(Object.entries(WORDS).flatMap(([keyword, words]) => words.map((word) => [word, keyword as Keyword] as const)))

/** The keyword a text is, whatever its case, accents, spaces and quotes; undefined for a text that says more. */
export const keywordOf = (text: string): Keyword | undefined =>
  BY_WORD.get(
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[\s"'“”‘’«».,!;:\u200b-\u200f\ufeff]+/g, ' ')
      .trim(),
  )
