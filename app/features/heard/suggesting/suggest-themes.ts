import type { ContentLanguage } from '#app/lib/languages.ts'
import { MAX_SUGGESTED_PASSAGES } from '../heard.schema.ts'
import { countCharacters, listSentences } from '../marked-passages.ts'
import { type Clusters, clusterTexts } from './cluster-texts.ts'
import { readWords, splitIntoWords, type WordStream } from './read-words.ts'
import { MIN_TEXTS, type TermMatrix, weighTerms } from './weigh-terms.ts'

/** A group of texts that say something alike. */
export interface ThemeSuggestion {
  /** The strongest words and phrases that they share, as most people wrote them. */
  label: string[]
  /** How many texts there are. */
  texts: number
  /** Where the clearest of them say it, the clearest first. */
  passages: SuggestedPassage[]
}

interface SuggestedPassage {
  /** Place in the given list. */
  text: number
  /** In characters from the beginning of the text; both are 0 for the whole text. */
  start: number
  end: number
}

interface SuggestOptions {
  language: ContentLanguage
  /** Called now and then with the share that is done, from 0 to 1. What it throws ends the work. */
  onProgress?: (share: number) => Promise<void>
}

/** Of a text and the centroid of its group: one that is less like it does not belong to it. */
const MIN_LIKENESS = 0.3
const LABEL_TERMS = 3
const MIN_LABEL_WEIGHT = 0.12
/** Shares of the work. */
const WORDS_READ = 0.25
const TERMS_WEIGHED = 0.5

/**
 * Groups texts of one language by the words they share: tf-idf of words and phrases of two words, then spherical k-means. Nothing leaves this
 * machine, and the same texts give the same groups on every machine, in whatever order they come.
 * @returns the largest groups first
 */
export async function suggestThemes(
  given: readonly string[],
  { language, onProgress = async () => {} }: SuggestOptions,
): Promise<ThemeSuggestion[]> {
  // Sorted, so that the order in which texts came makes no difference.
  const order = Uint32Array.from(given.keys()).toSorted((a, b) => compareTexts(given[a] ?? '', given[b] ?? '') || a - b)
  const texts = Array.from(order, (place) => given[place] ?? '')
  const words = readWords(texts, language)
  await onProgress(WORDS_READ)
  const matrix = weighTerms(words)
  await onProgress(TERMS_WEIGHED)
  const clusters = await clusterTexts(matrix, (share) => onProgress(TERMS_WEIGHED + share * (1 - TERMS_WEIGHED)))
  return describeClusters(texts, language, words, matrix, clusters).map(({ passages, ...group }) => ({
    ...group,
    passages: passages.map((passage) => ({ ...passage, text: order[passage.text] ?? 0 })),
  }))
}

/** By code units: the order of a language may differ between machines. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function describeClusters(
  texts: readonly string[],
  language: ContentLanguage,
  words: WordStream,
  matrix: TermMatrix,
  { clusterOf, likeness, centroids, count }: Clusters,
): ThemeSuggestion[] {
  const wide = matrix.terms.length
  const members = Array.from({ length: count }, (): number[] => [])
  for (const [text, cluster] of clusterOf.entries()) if ((likeness[text] ?? 0) >= MIN_LIKENESS) members[cluster]?.push(text)
  return members
    .map((alike, cluster) => {
      const centroid = centroids.subarray(cluster * wide, (cluster + 1) * wide)
      const named = chooseLabel(centroid, matrix)
      const found = alike.filter((text) => hasTerm(matrix, text, named))
      const clearest = found.toSorted((a, b) => (likeness[b] ?? 0) - (likeness[a] ?? 0) || a - b).slice(0, MAX_SUGGESTED_PASSAGES)
      return {
        label: named.map((term) => (matrix.terms[term] ?? []).map((stem) => words.names[stem] ?? '').join(' ')),
        texts: found.length,
        passages: clearest.map((text) => ({ text, ...findPassage(texts[text] ?? '', language, words, matrix, centroid) })),
      }
    })
    .filter(({ label, texts: size }) => label.length > 0 && size >= MIN_TEXTS)
    .toSorted((one, other) => other.texts - one.texts || compareTexts(one.label.join(), other.label.join()))
}

/** Its strongest terms; a word that a phrase before it has is not repeated. */
function chooseLabel(centroid: Float32Array, { terms }: TermMatrix): number[] {
  const strongest = [...centroid.keys()]
    .filter((term) => (centroid[term] ?? 0) >= MIN_LABEL_WEIGHT)
    .toSorted((a, b) => (centroid[b] ?? 0) - (centroid[a] ?? 0) || a - b)
  const said = new Set<number>()
  const label: number[] = []
  for (const term of strongest) {
    const stems = terms[term] ?? []
    if (label.length === LABEL_TERMS) break
    if (stems.every((stem) => said.has(stem))) continue
    for (const stem of stems) said.add(stem)
    label.push(term)
  }
  return label
}

/** Every text of a suggestion has a word of its label, so that people see why it is there. */
function hasTerm({ columns, starts }: TermMatrix, text: number, wanted: readonly number[]): boolean {
  for (let at = starts[text] ?? 0; at < (starts[text + 1] ?? 0); at++) if (wanted.includes(columns[at] ?? -1)) return true
  return false
}

/** The sentence of a text that is most like a centroid, or the whole text if it is one sentence. */
function findPassage(
  text: string,
  language: ContentLanguage,
  { numbers }: WordStream,
  { forEachTerm }: TermMatrix,
  centroid: Float32Array,
): Omit<SuggestedPassage, 'text'> {
  const sentences = listSentences(text, language)
  if (sentences.length < 2) return { start: 0, end: 0 }
  let best = sentences[0]
  let most = -1
  for (const sentence of sentences) {
    const stems = splitIntoWords(text.slice(sentence.start, sentence.end)).map((word) => numbers.get(word) ?? 0)
    const said = new Set<number>()
    forEachTerm(stems, 0, stems.length, (term) => said.add(term))
    const value = [...said].reduce((sum, term) => sum + (centroid[term] ?? 0), 0)
    if (value > most) [best, most] = [sentence, value]
  }
  return best ? { start: countCharacters(text, best.start), end: countCharacters(text, best.end) } : { start: 0, end: 0 }
}
