/** The GSM 03.38 alphabet, one place per character. Of the French letters it has "é", "è", "à" and "ù", but not "ê" and "ç". */
const BASIC_ALPHABET = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Preceded by an escape, so they take two places. */
const EXTENDED_ALPHABET = new Set('\f^{}\\[~]|€')

/** Places in a single text, and in each segment of a longer one. */
const SEGMENT_ROOM = { 'gsm-7': { alone: 160, joined: 153 }, 'ucs-2': { alone: 70, joined: 67 } } as const

export interface Segments {
  encoding: keyof typeof SEGMENT_ROOM
  /** Number of segments, which is what costs money. */
  segments: number
  /** Places that the characters take. */
  places: number
  /** Free places in the last segment. */
  free: number
  /** Characters outside GSM-7, each once, in the order they appear. */
  costly: string[]
}

/** Counts how a text is sent: its encoding, its segments and the characters that make it expensive. */
export function measureSegments(text: string): Segments {
  const characters = Array.from(text)
  const costly = [...new Set(characters.filter((one) => !BASIC_ALPHABET.has(one) && !EXTENDED_ALPHABET.has(one)))]
  const encoding = costly.length ? 'ucs-2' : 'gsm-7'
  const sizes = characters.map((one) => (encoding === 'ucs-2' ? one.length : EXTENDED_ALPHABET.has(one) ? 2 : 1))
  const places = sizes.reduce((sum, size) => sum + size, 0)
  const { alone, joined } = SEGMENT_ROOM[encoding]
  if (places <= alone) return { encoding, segments: 1, places, free: alone - places, costly }
  // A two-place character is never split between two segments.
  let segments = 1
  let used = 0
  for (const size of sizes) {
    if (used + size > joined) {
      segments += 1
      used = 0
    }
    used += size
  }
  return { encoding, segments, places, free: joined - used, costly }
}

/** The text with costly characters replaced by the nearest GSM-7 ones: "ê" becomes "e", curly quotes straight ones. */
export const replaceCostlyCharacters = (text: string): string =>
  Array.from(text)
    .map((one) => {
      if (BASIC_ALPHABET.has(one) || EXTENDED_ALPHABET.has(one)) return one
      const plain = NEAREST_BASIC[one] ?? one.normalize('NFD').replace(/\p{M}/gu, '')
      return Array.from(plain).every((part) => BASIC_ALPHABET.has(part) || EXTENDED_ALPHABET.has(part)) ? plain : one
    })
    .join('')

/** Replaces only quotes, dashes and spaces, and only if that saves a segment: no spelling changes. */
export function withPlainMarks(text: string): string {
  const plain = Array.from(text, (one) => PLAIN_MARKS[one] ?? one).join('')
  return measureSegments(plain).segments < measureSegments(text).segments ? plain : text
}

const PLAIN_MARKS: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '\u00a0': ' ',
  '\u202f': ' ',
}
const NEAREST_BASIC: Record<string, string> = { ...PLAIN_MARKS, œ: 'oe', Œ: 'OE', ç: 'c' }
