/** The alphabet of GSM 03.38 that takes one place a character. Of the French letters "é", "è", "à" and "ù" are in it, "ê" and "ç" are not. */
const BASIC_ALPHABET = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Written with an escape before them, they take two. */
const EXTENDED_ALPHABET = new Set('\f^{}\\[~]|€')

/** Room in a text that stands alone, and in each of several that are joined. */
const SEGMENT_ROOM = { 'gsm-7': { alone: 160, joined: 153 }, 'ucs-2': { alone: 70, joined: 67 } } as const

export interface Segments {
  encoding: keyof typeof SEGMENT_ROOM
  /** What is paid for. */
  segments: number
  /** Places that the characters take. */
  places: number
  /** Places that are free in the last segment. */
  free: number
  /** Characters that keep the text out of the short alphabet, each once, in the order they come. */
  costly: string[]
}

/** How a text travels: in which alphabet, in how many parts, and which characters make it dear. */
export function measureSegments(text: string): Segments {
  const characters = Array.from(text)
  const costly = [...new Set(characters.filter((one) => !BASIC_ALPHABET.has(one) && !EXTENDED_ALPHABET.has(one)))]
  const encoding = costly.length ? 'ucs-2' : 'gsm-7'
  const sizes = characters.map((one) => (encoding === 'ucs-2' ? one.length : EXTENDED_ALPHABET.has(one) ? 2 : 1))
  const places = sizes.reduce((sum, size) => sum + size, 0)
  const { alone, joined } = SEGMENT_ROOM[encoding]
  if (places <= alone) return { encoding, segments: 1, places, free: alone - places, costly }
  // A character of two places is never torn between two parts.
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

/** The text without its costly characters, as near as the short alphabet has it: "ê" becomes "e", curly quotes straight ones. */
export const replaceCostlyCharacters = (text: string): string =>
  Array.from(text)
    .map((one) => {
      if (BASIC_ALPHABET.has(one) || EXTENDED_ALPHABET.has(one)) return one
      const plain = NEAREST_BASIC[one] ?? one.normalize('NFD').replace(/\p{M}/gu, '')
      return Array.from(plain).every((part) => BASIC_ALPHABET.has(part) || EXTENDED_ALPHABET.has(part)) ? plain : one
    })
    .join('')

/** The same with nothing but its quotes, dashes and spaces made plain, where that costs less: no word is spelt otherwise. */
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
