import type { WordStream } from './read-words.ts'

/** Terms, each a word or a phrase of two, with their weights in each text (tf-idf); the weights of a text have length 1. */
export interface TermMatrix {
  /** Terms of all texts, one text after the other. */
  columns: Uint32Array
  weights: Float32Array
  /** Where each text begins, and one more for the end. */
  starts: Uint32Array
  /** The stems of each term. */
  terms: readonly (readonly number[])[]
  /** The terms of a list of stems, one by one. */
  forEachTerm: (stems: ArrayLike<number>, from: number, to: number, add: (term: number) => void) => void
}

/** Fewer people than this do not make a theme. */
export const MIN_TEXTS = 3
const MAX_TERMS = 4000
/** What more texts than this share have in common is what they were asked about. */
const MAX_SHARE = 0.5
/** One text in so many has to have a term. */
const TEXTS_PER_USE = 5000
/** Two words are a phrase if they mostly stand together: of their uses, at least this share (Dice’s coefficient). */
const PHRASE_SHARE = 0.55
/** For the number of two stems. */
const PAIR_BASE = 2 ** 21

const toPair = (first: number, second: number): number => first * PAIR_BASE + second

export function weighTerms({ stems, starts, names }: WordStream): TermMatrix {
  const count = starts.length - 1
  const most = Math.max(MIN_TEXTS, count * MAX_SHARE)
  const least = Math.max(MIN_TEXTS, Math.floor(count / TEXTS_PER_USE))
  const single = countWords(stems, starts, names.length)
  const isFrequent = (stem: number) => stem > 0 && (single[stem] ?? 0) >= least
  const pairs = countIn(starts, (from, to, add) => {
    for (let at = from; at + 1 < to; at++) {
      const [first = 0, second = 0] = [stems[at], stems[at + 1]]
      if (isFrequent(first) && isFrequent(second)) add(toPair(first, second))
    }
  })
  const phrases = new Set<number>()
  for (const [pair, both] of pairs) {
    const uses = (single[Math.floor(pair / PAIR_BASE)] ?? 0) + (single[pair % PAIR_BASE] ?? 0)
    if (both >= least && both <= most && 2 * both >= uses * PHRASE_SHARE) phrases.add(pair)
  }
  // A phrase stands for its words: they are not counted again.
  const forEachKey = (words: ArrayLike<number>, from: number, to: number, add: (key: number) => void) => {
    for (let at = from; at < to; at++) {
      const first = words[at] ?? 0
      const second = at + 1 < to ? (words[at + 1] ?? 0) : 0
      if (first === 0) continue
      const pair = second === 0 ? 0 : toPair(first, second)
      const isPhrase = pair !== 0 && phrases.has(pair)
      add(isPhrase ? pair : first)
      if (isPhrase) at++
    }
  }
  const found = countIn(starts, (from, to, add) => forEachKey(stems, from, to, add))
  const kept = [...found]
    .filter(([, texts]) => texts >= least && texts <= most)
    .toSorted(([a, many], [b, more]) => more - many || a - b)
    .slice(0, MAX_TERMS)
  const numbers = new Map(kept.map(([key], number) => [key, number]))
  const forEachTerm: TermMatrix['forEachTerm'] = (words, from, to, add) =>
    forEachKey(words, from, to, (key) => {
      const term = numbers.get(key)
      if (term !== undefined) add(term)
    })
  const idf = Float32Array.from(kept, ([, texts]) => Math.log(1 + count / texts))
  const terms = kept.map(([key]) => (key >= PAIR_BASE ? [Math.floor(key / PAIR_BASE), key % PAIR_BASE] : [key]))
  return { ...fillMatrix(stems, starts, forEachTerm, idf), terms, forEachTerm }
}

/** In how many texts each stem is. */
function countWords(stems: Uint32Array, starts: Uint32Array, size: number): Uint32Array {
  const texts = new Uint32Array(size)
  const lastSeen = new Int32Array(size).fill(-1)
  for (let text = 0; text + 1 < starts.length; text++)
    for (let at = starts[text] ?? 0; at < (starts[text + 1] ?? 0); at++) {
      const stem = stems[at] ?? 0
      if (lastSeen[stem] === text) continue
      lastSeen[stem] = text
      texts[stem] = (texts[stem] ?? 0) + 1
    }
  return texts
}

/** In how many texts each key is. */
function countIn(starts: Uint32Array, forEach: (from: number, to: number, add: (key: number) => void) => void): Map<number, number> {
  const texts = new Map<number, number>()
  const seen = new Set<number>()
  for (let text = 0; text + 1 < starts.length; text++) {
    seen.clear()
    forEach(starts[text] ?? 0, starts[text + 1] ?? 0, (key) => seen.add(key))
    for (const key of seen) texts.set(key, (texts.get(key) ?? 0) + 1)
  }
  return texts
}

function fillMatrix(
  stems: Uint32Array,
  wordStarts: Uint32Array,
  forEachTerm: TermMatrix['forEachTerm'],
  idf: Float32Array,
): Pick<TermMatrix, 'columns' | 'weights' | 'starts'> {
  const columns = new Uint32Array(stems.length)
  const weights = new Float32Array(stems.length)
  const starts = new Uint32Array(wordStarts.length)
  let end = 0
  for (let text = 0; text + 1 < wordStarts.length; text++) {
    const begin = end
    starts[text] = begin
    forEachTerm(stems, wordStarts[text] ?? 0, wordStarts[text + 1] ?? 0, (term) => {
      let at = begin
      while (at < end && columns[at] !== term) at++
      columns[at] = term
      weights[at] = (weights[at] ?? 0) + (idf[term] ?? 0)
      if (at === end) end++
    })
    scaleToLength1(weights.subarray(begin, end))
  }
  starts[wordStarts.length - 1] = end
  return { columns: columns.slice(0, end), weights: weights.slice(0, end), starts }
}

export function scaleToLength1(row: Float32Array): void {
  let length = 0
  for (const weight of row) length += weight ** 2
  length = Math.sqrt(length) || 1
  for (let at = 0; at < row.length; at++) row[at] = (row[at] ?? 0) / length
}
