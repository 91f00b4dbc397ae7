import type { Language } from '#app/lib/languages.ts'
import { normaliseText } from '#app/lib/normalise-text.ts'
import { type MapName, NAME_KINDS } from './collect-names.server.ts'

/** A name of a map file with what a search compares. */
interface IndexedName {
  entry: MapName
  /** The name in each language it has, folded: words with a space before each. */
  forms: readonly FoldedName[]
}

interface FoldedName {
  name: string
  folded: string
}

export type NameIndex = readonly IndexedName[]

/** A name that was found, as it is shown. */
export interface RankedName {
  entry: MapName
  name: string
  /** As `rankFit` says it. */
  fit: number
}

const MAX_WORDS = 8
const MAX_SOUGHT_LETTERS = 200

/** What people shorten, in whole words. */
const SHORTENED: Readonly<Record<string, readonly string[]>> = {
  st: ['saint', 'street'],
  ste: ['sainte'],
  rd: ['road'],
  ave: ['avenue'],
  av: ['avenue'],
  blvd: ['boulevard'],
  boul: ['boulevard'],
  bd: ['boulevard'],
  dr: ['drive'],
  ln: ['lane'],
  sq: ['square'],
  ch: ['chemin'],
  pl: ['place'],
  hwy: ['highway'],
}

/** Its words in the order in which they were typed: lower case, without accents; apostrophes and hyphens part words. */
export const splitTyped = (text: string): string[] =>
  normaliseText(text.slice(0, MAX_SOUGHT_LETTERS))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, MAX_WORDS)

/** Words with a space before each, so that the beginning of one is found by ` ` and its letters. */
export const foldName = (name: string): string => splitTyped(name).reduce((folded, word) => `${folded} ${word}`, '')

export function indexNames(names: readonly MapName[]): NameIndex {
  return names.map((entry) => ({
    entry,
    forms: [...new Set([entry.name, ...Object.values(entry.names ?? {})])].map((name) => ({ name, folded: foldName(name) })),
  }))
}

/** What a folded name is compared with. */
interface SoughtWords {
  /** All words, folded. */
  whole: string
  words: readonly { beginning: string; meant: readonly string[] }[]
}

/** @param words as `splitTyped` gives them */
export const prepareWords = (words: readonly string[]): SoughtWords => ({
  whole: words.map((word) => ` ${word}`).join(''),
  words: words.map((word) => ({ beginning: ` ${word}`, meant: (SHORTENED[word] ?? []).map((long) => ` ${long} `) })),
})

/** How well a folded name fits: 0 is the whole name, 1 its beginning, 2 that it has all words or what they are short for. Undefined if it does not. */
export function rankFit(folded: string, { whole, words }: SoughtWords): number | undefined {
  if (folded.startsWith(whole)) return folded.length === whole.length ? 0 : 1
  for (const { beginning, meant } of words) {
    if (folded.includes(beginning)) continue
    if (meant.length === 0 || !meant.some((long) => `${folded} `.includes(long))) return undefined
  }
  return 2
}

/**
 * The names that have all words, best first: whole names, then beginnings, then others; places before streets, streets before the rest.
 * @param words as `splitTyped` gives them; none find nothing
 */
export function findNames(index: NameIndex, words: readonly string[], language: Language): RankedName[] {
  if (words.length === 0) return []
  const sought = prepareWords(words)
  const found: RankedName[] = []
  for (const { entry, forms } of index) {
    let best: RankedName | undefined
    for (const { name, folded } of forms) {
      const fit = rankFit(folded, sought)
      if (fit !== undefined && (!best || name === entry.names?.[language])) best = { entry, name, fit }
    }
    if (best) found.push(best)
  }
  return found.toSorted(compareFits)
}

const compareFits = (a: RankedName, b: RankedName): number =>
  a.fit - b.fit ||
  NAME_KINDS.indexOf(a.entry.kind) - NAME_KINDS.indexOf(b.entry.kind) ||
  b.entry.rank - a.entry.rank ||
  a.name.length - b.name.length ||
  (a.name < b.name ? -1 : 1)
